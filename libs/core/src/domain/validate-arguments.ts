import { canonicalJson } from './canonical-json.ts';
import type { JsonObject, JsonValue } from './json.ts';

/**
 * Every way a value breaks a schema, in walk order: of an object first the missing properties, then the
 * declared, then the undeclared. Knows `type, properties, required, additionalProperties, items, enum,
 * const, oneOf`; other keywords are annotations. Undeclared properties are allowed unless refused, and
 * defaults are not filled in.
 */
export function validateArguments(schema: JsonObject, value: unknown): string[] {
  return check(schema, value, '');
}

const label = (path: string) => `"${path || 'arguments'}"`;

const WANTED: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  null: 'null',
  array: 'an array',
  object: 'an object',
};

function check(schema: JsonObject, value: unknown, path: string): string[] {
  if (typeof value === 'number' && !Number.isFinite(value)) return [`${label(path)} must be a finite JSON number`];
  const { type, oneOf } = schema;
  if (typeof type === 'string' && !hasType(type, value)) return [`${label(path)} must be ${WANTED[type] ?? type}`];
  if ('const' in schema && !same(schema['const'], value))
    return [`${label(path)} must be ${JSON.stringify(schema['const'])}`];
  if (isList(schema['enum']) && !schema['enum'].some((member) => same(member, value)))
    return [`${label(path)} must be one of ${JSON.stringify(schema['enum'])}`];
  if (isList(oneOf)) {
    const matched = oneOf.filter((branch) => isRecord(branch) && check(branch as JsonObject, value, path).length === 0);
    if (matched.length !== 1) return [`${label(path)} must match exactly one oneOf branch (matched ${matched.length})`];
  }
  if (Array.isArray(value)) return checkItems(schema, value, path);
  return isRecord(value) ? checkProperties(schema, value, path) : [];
}

function checkItems(schema: JsonObject, value: readonly unknown[], path: string): string[] {
  const items = schema['items'];
  if (!isRecord(items)) return [];
  return value.flatMap((item, index) => check(items as JsonObject, item, `${path || 'arguments'}[${index}]`));
}

function checkProperties(schema: JsonObject, value: Readonly<Record<string, unknown>>, path: string): string[] {
  const at = (name: string) => (path ? `${path}.${name}` : name);
  const has = (name: string) => Object.hasOwn(value, name) && value[name] !== undefined;
  const declared = (isRecord(schema['properties']) ? schema['properties'] : {}) as Readonly<Record<string, unknown>>;
  const required = isList(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [];
  const missing = required.filter((name) => !has(name)).map((name) => `missing required property "${at(name)}"`);
  const wrong = Object.entries(declared).flatMap(([name, property]) =>
    has(name) && isRecord(property) ? check(property as JsonObject, value[name], at(name)) : [],
  );
  const others = Object.keys(value).filter((name) => !Object.hasOwn(declared, name));
  return [...missing, ...wrong, ...others.flatMap((name) => checkUndeclared(schema, value[name], at(name)))];
}

function checkUndeclared(schema: JsonObject, value: unknown, path: string): string[] {
  const rule = schema['additionalProperties'];
  if (rule === false) return [`"${path}" is not a declared property (additionalProperties: false)`];
  return isRecord(rule) ? check(rule as JsonObject, value, path) : [];
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (expected: JsonValue | undefined, value: unknown): boolean =>
  expected === value || canonicalJson(expected) === canonicalJson(value);
