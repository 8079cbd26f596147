import { describe, expect, test } from 'vitest';
import type { JsonObject } from './json.ts';
import { parseArguments } from './parse-arguments.ts';
import { validateArguments } from './validate-arguments.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    size: { type: 'integer' },
    kind: { type: 'string', enum: ['a', 'b'] },
    items: {
      type: 'array',
      items: { type: 'object', additionalProperties: false, properties: { id: { type: 'number' } }, required: ['id'] },
    },
    either: { oneOf: [{ type: 'string' }, { const: 'x' }] },
    fixed: { const: { a: 1 } },
  },
  required: ['name', 'items'],
} satisfies JsonObject;

describe('validateArguments', () => {
  test.each([
    ['a string instead of an object', '{"na', ['"arguments" must be an object']],
    ['nothing', {}, ['missing required property "name"', 'missing required property "items"']],
    ['undefined counts as missing', { name: undefined, items: [] }, ['missing required property "name"']],
    ['an undeclared root property', { name: 'x', items: [], other: 1 }, []],
    [
      'everything at once, in walk order',
      { extra: 1, items: [{ id: 1, more: 2 }, {}, 'x'], size: 1.5, kind: 'c' },
      [
        'missing required property "name"',
        '"size" must be an integer',
        '"kind" must be one of ["a","b"]',
        '"items[0].more" is not a declared property (additionalProperties: false)',
        'missing required property "items[1].id"',
        '"items[2]" must be an object',
      ],
    ],
    ['a number that is none', { name: 'x', items: [{ id: Infinity }] }, ['"items[0].id" must be a finite JSON number']],
    [
      'one branch too many',
      { name: 'x', items: [], either: 'x' },
      ['"either" must match exactly one oneOf branch (matched 2)'],
    ],
    ['a constant', { name: 'x', items: [], fixed: { a: 2 } }, ['"fixed" must be {"a":1}']],
    ['null', null, ['"arguments" must be an object']],
  ])('%s', (_name, value, violations) => {
    expect(validateArguments(schema, value)).toEqual(violations);
  });
});

describe('parseArguments', () => {
  test.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['{"a":', '{"a":'],
    ['[1]', [1]],
  ])('%j', (raw, value) => {
    expect(parseArguments(raw)).toEqual(value);
  });
});
