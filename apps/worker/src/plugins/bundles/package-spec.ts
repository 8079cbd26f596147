import { isAbsolute, resolve } from 'node:path';

/** A repository, and the branch, tag or commit that is wanted of it; absent: what it says is its head. */
export interface GitSource {
  url: string;
  ref?: string;
}

/** What npm or git is asked for, or why neither is asked. */
export type ParsedSpec =
  | { kind: 'npm'; spec: string }
  | { kind: 'git'; source: GitSource }
  | { kind: 'refused'; message: string };

const NAME = String.raw`(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*`;
const REGISTRY_SPEC = new RegExp(`^${NAME}(?:@[^\\s:/]+)?$`);
export const PACKAGE_NAME = new RegExp(`^${NAME}$`);

/**
 * Judges what a model wants installed. Only what cannot run a program before anybody approved its scripts passes: npm
 * prepares git checkouts by running them, so these are ours to make.
 */
export function parseSpec(given: string, cwd: string): ParsedSpec {
  const spec = given.trim();
  if (spec.includes('\0') || spec.startsWith('-')) return refused(spec, 'it is no package');
  if (/^https?:\/\//i.test(spec)) {
    const why = addressFault(spec);
    return why === undefined ? { kind: 'npm', spec } : refused(spec, why);
  }
  if (/^(git\+[a-z]+:|git:|github:)/i.test(spec)) return parseGit(spec);
  if (spec.startsWith('file:') || spec.startsWith('.') || isAbsolute(spec))
    return { kind: 'npm', spec: resolve(cwd, spec.replace(/^file:(?:\/\/)?/, '')) };
  if (REGISTRY_SPEC.test(spec)) return { kind: 'npm', spec };
  return refused(spec, 'name a package of the registry, a packed tarball or its https address, or a git+https address');
}

/** `git+https://…[#ref]`, also `git+ssh:` and `git+file:`; `github:owner/name[#ref]`. */
function parseGit(spec: string): ParsedSpec {
  const [address = '', ref, ...more] = spec.split('#');
  if (more.length > 0 || (ref !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/.test(ref)))
    return refused(spec, 'after # comes one branch, tag or commit');
  const hub = /^github:([A-Za-z0-9-]+\/[A-Za-z0-9._-]+)$/i.exec(address)?.[1];
  const url = hub === undefined ? address.replace(/^git\+/i, '') : `https://github.com/${hub}.git`;
  if (!URL.canParse(url)) return refused(spec, 'it is no address');
  const { protocol, username, password } = new URL(url);
  if (!['https:', 'http:', 'ssh:', 'file:'].includes(protocol))
    return refused(spec, 'a repository is reached by git+https, git+http, git+ssh or git+file');
  // Whom ssh logs in as is no secret; everywhere else a name is the beginning of one.
  if (password !== '' || (username !== '' && protocol !== 'ssh:')) return refused(spec, 'it must not hold credentials');
  return { kind: 'git', source: { url, ...(ref !== undefined && { ref }) } };
}

/** Why a registry cannot be asked; nothing = it can. */
export function registryFault(registry: string): string | undefined {
  const why = /^https?:\/\//i.test(registry) ? addressFault(registry) : 'it must be an http or https address';
  return why && `registry "${registry}": ${why}`;
}

function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'it is no address';
  const { username, password } = new URL(address);
  return username + password === '' ? undefined : 'it must not hold credentials';
}

const refused = (spec: string, why: string): ParsedSpec => ({
  kind: 'refused',
  message: `package spec "${spec}": ${why}`,
});
