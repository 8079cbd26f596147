import { isAbsolute, resolve } from 'node:path';

/** What npm is asked for, or why it is not asked. */
export type ParsedSpec = { kind: 'spec'; spec: string } | { kind: 'refused'; message: string };

const NAME = String.raw`(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*`;
const REGISTRY_SPEC = new RegExp(`^${NAME}(?:@[^\\s:/]+)?$`);
export const PACKAGE_NAME = new RegExp(`^${NAME}$`);

/**
 * Judges what a model wants installed. Only what cannot run a program before anybody approved its scripts passes: npm
 * prepares git checkouts by running them.
 */
export function parseSpec(given: string, cwd: string): ParsedSpec {
  const spec = given.trim();
  if (spec.includes('\0') || spec.startsWith('-')) return refused(spec, 'it is no package');
  if (/^https?:\/\//i.test(spec)) {
    const why = addressFault(spec);
    return why === undefined ? { kind: 'spec', spec } : refused(spec, why);
  }
  if (spec.startsWith('file:') || spec.startsWith('.') || isAbsolute(spec))
    return { kind: 'spec', spec: resolve(cwd, spec.replace(/^file:(?:\/\/)?/, '')) };
  if (REGISTRY_SPEC.test(spec)) return { kind: 'spec', spec };
  return refused(spec, 'name a package of the registry, a packed tarball or its https address; git is not supported');
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
