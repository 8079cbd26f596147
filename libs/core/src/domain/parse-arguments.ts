import type { JsonValue } from './json.ts';

/**
 * The value of a call's raw argument text: `{}` for no text, the text itself where it is not JSON.
 * Half a JSON text thus reaches validation as a string and is refused there, never repaired and run.
 */
export function parseArguments(raw: string): JsonValue {
  if (raw === '') return {};
  try {
    return JSON.parse(raw) as JsonValue;
  } catch {
    return raw;
  }
}
