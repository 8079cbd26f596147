import { toolsets as builtIn } from '@everturn/tools/catalog';
import { ApiError } from '../platform/errors/api-error.ts';

/** Refuses an optional set of tools that is neither built in nor told of by a live worker, whose plugins may bring more. */
export function refuseUnknownToolsets(wanted: readonly string[] = [], told: readonly string[]): void {
  const known = new Set([...builtIn.keys(), ...told]);
  const issues = wanted.flatMap((name, index) => {
    const message = `no set of tools is named "${name}"; there are: ${[...known].toSorted().join(', ') || '(none)'}`;
    return known.has(name) ? [] : [{ field: `body.toolsets[${index}]`, message }];
  });
  const [first] = issues;
  if (first) throw new ApiError({ code: 'UNKNOWN_TOOLSET', message: `${first.field}: ${first.message}`, issues });
}
