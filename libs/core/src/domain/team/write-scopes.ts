import { teamError, type TeamError } from './team-error.ts';

/** Paths below the workspace as they are compared, each once; or which one is none. */
export function normaliseScopes(scopes: readonly string[]): string[] | TeamError {
  const paths = scopes.map(normalise);
  const wrong = paths.indexOf(undefined);
  if (wrong !== -1)
    return teamError(
      'TEAM_INVALID_WRITE_SCOPE',
      `write_scopes: "${scopes[wrong]}" is no path below the workspace: no absolute path, no drive, no "..", not the workspace itself`,
    );
  return [...new Set(paths as string[])];
}

function normalise(scope: string): string | undefined {
  const path = scope.trim().replaceAll('\\', '/');
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return undefined;
  const bare = path.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  return bare === '' || bare === '.' || bare.split('/').includes('..') ? undefined : bare;
}

/** Whether two scopes have a file in common. */
export const overlaps = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
