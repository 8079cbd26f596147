import { jsonBytes } from './history-budget.ts';
import type { JsonObject, JsonValue } from './json.ts';

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const CONSTRAINTS = ['type', 'oneOf', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const'];
const ANNOTATIONS: ReadonlySet<string> = new Set(['description', 'title', 'default', 'examples']);

/** It travels with the agent and stands in each of its requests. */
const MAX_BYTES = 32_768;

/** Everything that keeps a schema from being one that structured output may be asked for in; nothing when it is. */
export function checkOutputSchema(schema: JsonValue): string[] {
  if (!isRecord(schema)) return ['schema must be an object'];
  if (jsonBytes(schema) > MAX_BYTES) return [`schema must not be longer than ${MAX_BYTES} bytes`];
  const root = schema['type'] === 'object' ? [] : ['schema.type must be "object"'];
  return [...root, ...check(schema, 'schema')];
}

function check(schema: JsonObject, at: string): string[] {
  const unknown = Object.keys(schema).filter((key) => !CONSTRAINTS.includes(key) && !ANNOTATIONS.has(key));
  return [
    ...unknown.map((key) => `${at}.${key} is not supported`),
    ...checkType(schema, at),
    ...checkOneOf(schema, at),
    ...checkObject(schema, at),
    ...(schema['items'] === undefined ? [] : checkPart(schema['items'], `${at}.items`)),
    ...checkValues(schema, at),
  ];
}

function checkPart(part: JsonValue, at: string): string[] {
  return isRecord(part) ? check(part, at) : [`${at} must be a schema`];
}

function checkType({ type }: JsonObject, at: string): string[] {
  if (type === undefined || (typeof type === 'string' && TYPES.includes(type))) return [];
  return [`${at}.type must be one of ${TYPES.join(', ')}`];
}

function checkOneOf(schema: JsonObject, at: string): string[] {
  const { oneOf } = schema;
  if (oneOf === undefined) return [];
  if (!Array.isArray(oneOf) || oneOf.length < 2) return [`${at}.oneOf needs at least two branches`];
  const beside = CONSTRAINTS.filter((key) => key !== 'oneOf' && key in schema);
  return [
    ...beside.map((key) => `${at}.${key} must not stand beside oneOf`),
    ...oneOf.flatMap((branch: JsonValue, index) => checkPart(branch, `${at}.oneOf[${index}]`)),
  ];
}

function checkObject({ properties, required, additionalProperties }: JsonObject, at: string): string[] {
  const problems: string[] = [];
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean')
    problems.push(`${at}.additionalProperties must be true or false`);
  if (properties !== undefined && !isRecord(properties)) problems.push(`${at}.properties must be an object`);
  const declared = isRecord(properties) ? properties : {};
  if (required !== undefined && !Array.isArray(required)) problems.push(`${at}.required must be a list of names`);
  for (const name of Array.isArray(required) ? required : [])
    if (typeof name !== 'string' || !Object.hasOwn(declared, name))
      problems.push(`${at}.required names ${JSON.stringify(name)}, which properties does not declare`);
  for (const [name, part] of Object.entries(declared)) problems.push(...checkPart(part, `${at}.properties.${name}`));
  return problems;
}

function checkValues(schema: JsonObject, at: string): string[] {
  const { enum: members, type } = schema;
  const problems: string[] = [];
  if (members !== undefined) {
    if (!Array.isArray(members) || members.length === 0) problems.push(`${at}.enum must hold at least one value`);
    for (const member of Array.isArray(members) ? members : [])
      if (!isScalar(member) || !fits(type, member))
        problems.push(
          `${at}.enum holds ${JSON.stringify(member)}, which is no ${typeof type === 'string' ? type : 'scalar'}`,
        );
  }
  if ('const' in schema && Array.isArray(members) && !members.includes(schema['const'] as JsonValue))
    problems.push(`${at}.const is not in its enum`);
  for (const value of [schema['const'], ...(Array.isArray(members) ? members : [])])
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      problems.push(`${at} holds a number that JSON cannot keep`);
  return problems;
}

const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);

function fits(type: JsonValue | undefined, value: JsonValue): boolean {
  if (typeof type !== 'string') return true;
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
