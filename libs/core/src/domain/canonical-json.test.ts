import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { canonicalJson, MAX_JSON_DEPTH, snapshotJson } from './canonical-json.ts';

const json = fc.jsonValue({ stringUnit: 'binary' }).filter((value) => !hasNegativeZero(value));

function hasNegativeZero(value: unknown): boolean {
  if (typeof value === 'number') return Object.is(value, -0);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNegativeZero);
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const cyclic: { self?: unknown } = {};
cyclic.self = [cyclic];

describe('snapshotJson', () => {
  test.each([
    ['an undefined member', { a: { b: undefined } }, 'data.a.b'],
    ['a function', [() => 1], 'data[0]'],
    ['a symbol', { a: Symbol('s') }, 'data.a'],
    ['a symbol key', { [Symbol('s')]: 1 }, 'data'],
    ['a BigInt', { 'odd key': 1n }, 'data["odd key"]'],
    ['negative zero', { a: -0 }, 'data.a'],
    ['NaN', [1, Number.NaN], 'data[1]'],
    ['infinity', Number.POSITIVE_INFINITY, 'data'],
    ['a sparse array', Object.assign([1], { length: 3 }), 'data[1]'],
    ['an array with a name', Object.assign([1], { name: 1 }), 'data'],
    ['a cycle', cyclic, 'data.self[0]'],
    ['an accessor', Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }), 'data.a'],
    ['a hidden member', Object.defineProperty({}, 'a', { value: 1 }), 'data.a'],
    ['a date', { at: new Date(0) }, 'data.at'],
    ['a map', new Map(), 'data'],
    [
      'a class instance',
      new (class Point {
        x = 1;
      })(),
      'data',
    ],
    ['an array subclass', new (class List extends Array {})(), 'data'],
    ['an inherited record', Object.create({ a: 1 }), 'data'],
    ['undefined', undefined, 'data'],
  ])('refuses %s and names the path', (_what, value, path) => {
    expect(() => snapshotJson(value, 'data')).toThrow(
      expect.objectContaining({ code: 'DOMAIN_NOT_JSON', message: expect.stringMatching(`^${escape(path)} is not`) }),
    );
  });

  test('bounds the depth', () => {
    expect(snapshotJson(nested(MAX_JSON_DEPTH))).toEqual(nested(MAX_JSON_DEPTH));
    expect(() => snapshotJson(nested(MAX_JSON_DEPTH + 1))).toThrow('nested deeper than 500 levels');
    expect(() => snapshotJson(nested(100_000))).toThrow('nested deeper than 500 levels');
  });

  test('is detached, equal and frozen all the way down', () => {
    fc.assert(
      fc.property(json, (value) => {
        const copy = snapshotJson(value);
        expect(copy).toEqual(value);
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
        expect(frozen(copy)).toBe(true);
        expect(snapshotJson(copy)).toBe(copy);
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
      }),
    );
  });

  test('keeps a member named __proto__ a member', () => {
    const value = JSON.parse('{"__proto__":{"admin":true}}') as object;
    const copy = snapshotJson(value) as { admin?: boolean };
    expect(copy.admin).toBeUndefined();
    expect(canonicalJson(copy)).toBe('{"__proto__":{"admin":true}}');
  });

  test('takes null prototypes and plain objects of other realms', () => {
    expect(snapshotJson(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
    expect(canonicalJson(runInNewContext('({ b: [1], a: {} })'))).toBe('{"a":{},"b":[1]}');
    expect(() => snapshotJson(runInNewContext('new Date(0)'))).toThrow('exotic');
  });

  test('a shared, acyclic value is no cycle', () => {
    const shared = { a: 1 };
    expect(snapshotJson([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
  });
});

describe('canonicalJson', () => {
  test('sorts keys by code unit and keeps what text columns cannot hold as escapes', () => {
    expect(canonicalJson({ b: 1, a: [true, null, 1e21, 0.1], Z: '\0 \ud83d 🙂 \\u0000' })).toBe(
      '{"Z":"\\u0000 \\ud83d 🙂 \\\\u0000","a":[true,null,1e+21,0.1],"b":1}',
    );
  });

  test('does not depend on the order of keys and survives a round trip', () => {
    fc.assert(
      fc.property(json, (value) => {
        const canonical = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(canonical);
        expect(canonicalJson(JSON.parse(canonical))).toBe(canonical);
        expect(JSON.parse(canonical)).toEqual(value);
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

function frozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(frozen);
}

function escape(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
