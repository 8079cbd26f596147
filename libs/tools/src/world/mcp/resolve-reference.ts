import type { JsonObject } from '@everturn/core/domain';

/** The object a local reference such as `#/$defs/Name` leads to; nothing for any other reference. */
export function resolveReference(document: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = document;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as JsonObject) : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
