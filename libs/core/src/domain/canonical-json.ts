import { DomainError } from './errors.ts';
import type { JsonValue } from './json.ts';

/** Deepest nesting a stored value may have; beyond it recursive readers overflow their stacks. */
export const MAX_JSON_DEPTH = 500;

const snapshots = new WeakSet<object>();

/**
 * Copies a value as lossless JSON, detached from the caller and deeply frozen.
 * Throws `DOMAIN_NOT_JSON`, naming the path, for anything `JSON.parse(JSON.stringify(v))` would change.
 */
export function snapshotJson(value: unknown, label = 'value'): JsonValue {
  return copy(value, label, new Set());
}

/** The one text of a JSON value: keys sorted by code unit, no spaces, lone surrogates and controls as escapes. */
export function canonicalJson(value: unknown): string {
  return write(snapshotJson(value));
}

function refuse(path: string, what: string): never {
  throw new DomainError('DOMAIN_NOT_JSON', `${path} is not losslessly JSON-serializable: ${what}`);
}

function copy(value: unknown, path: string, ancestors: Set<object>): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) return refuse(path, String(value));
      return Object.is(value, -0) ? refuse(path, '-0') : value;
    case 'object':
      return value === null ? null : copyObject(value, path, ancestors);
    default:
      return refuse(path, typeof value);
  }
}

function copyObject(value: object, path: string, ancestors: Set<object>): JsonValue {
  if (snapshots.has(value)) return value as JsonValue;
  if (ancestors.has(value)) return refuse(path, 'a cycle');
  if (ancestors.size >= MAX_JSON_DEPTH) return refuse(path, `nested deeper than ${MAX_JSON_DEPTH} levels`);
  ancestors.add(value);
  const result = Array.isArray(value) ? copyArray(value, path, ancestors) : copyRecord(value, path, ancestors);
  ancestors.delete(value);
  snapshots.add(Object.freeze(result));
  return result;
}

function copyArray(value: readonly unknown[], path: string, ancestors: Set<object>): JsonValue[] {
  if (!Array.isArray(Object.getPrototypeOf(value))) refuse(path, 'an array of an exotic class');
  const names = Reflect.ownKeys(value);
  const result: JsonValue[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const member = `${path}[${index}]`;
    if (!Object.hasOwn(value, index)) refuse(member, 'a hole in a sparse array');
    result.push(copy(dataProperty(value, String(index), member), member, ancestors));
  }
  if (names.length !== value.length + 1) refuse(path, 'an array with named members');
  return result;
}

function copyRecord(value: object, path: string, ancestors: Set<object>): JsonValue & object {
  if (!isPlain(value)) refuse(path, 'an object of an exotic class');
  const result = {};
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol') return refuse(path, 'a member named by a symbol');
    const member = /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
    const copied = copy(dataProperty(value, key, member), member, ancestors);
    // Plain assignment would turn a member named __proto__ into the prototype.
    Object.defineProperty(result, key, { value: copied, enumerable: true, writable: true, configurable: true });
  }
  return result;
}

function dataProperty(value: object, key: string, path: string): unknown {
  const property = Object.getOwnPropertyDescriptor(value, key);
  if (!property || !('value' in property)) return refuse(path, 'an accessor');
  return property.enumerable ? property.value : refuse(path, 'a hidden member');
}

function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // The same test for an object of another realm, whose Object.prototype is not ours.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

function write(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(write).join(',')}]`;
  const members = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1));
  return `{${members.map((key) => `${JSON.stringify(key)}:${write(value[key] as JsonValue)}`).join(',')}}`;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
