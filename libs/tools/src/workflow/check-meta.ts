import type { JsonObject, JsonValue } from '@everturn/core/domain';

const FIELDS = ['name', 'description', 'whenToUse', 'phases'];
const PHASE_FIELDS = ['title', 'detail', 'provider', 'model'];

/** Everything that is wrong with what is said of a script. */
export function checkMeta(meta: JsonObject): string[] {
  const { phases } = meta;
  return [
    ...unknownFields(meta, FIELDS, 'meta'),
    ...blank(meta, ['name', 'description'], 'meta'),
    ...(Array.isArray(phases)
      ? phases.flatMap((phase: JsonValue, index) => checkPhase(phase, `meta.phases[${index}]`))
      : []),
  ];
}

function checkPhase(phase: JsonValue, at: string): string[] {
  const fields = phase as JsonObject; // an object, as the schema has seen to
  return [...unknownFields(fields, PHASE_FIELDS, at), ...blank(fields, ['title'], at)];
}

const unknownFields = (value: JsonObject, known: readonly string[], at: string): string[] =>
  Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `${at}.${key} is not known`);

const blank = (value: JsonObject, names: readonly string[], at: string): string[] =>
  names.filter((name) => isBlank(value[name])).map((name) => `${at}.${name} must not be blank`);

const isBlank = (value: JsonValue | undefined): boolean => typeof value !== 'string' || value.trim() === '';
