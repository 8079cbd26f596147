import { expect, test } from 'vitest';
import { projectSchema } from './project-schema.ts';

const parse = (text: string): unknown => JSON.parse(text);
const object = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

test('an ordinary schema is kept as it is', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where.', minLength: 1 },
      list: { type: 'array', items: { type: 'integer', enum: [1, 2] } },
      either: { anyOf: [{ type: 'null' }, { type: 'object', additionalProperties: { type: 'string' } }] },
    },
    required: ['path'],
    additionalProperties: false,
  };
  expect(projectSchema(schema)).toEqual({ kind: 'kept', parameters: schema, changes: [] });
});

test('alternatives at the root become one object', () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    anyOf: [object, { properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a', 'b'] }],
  };
  expect(projectSchema(schema)).toEqual({
    kind: 'kept',
    parameters: {
      type: 'object',
      properties: { id: { type: 'string' }, a: { type: 'string' }, b: { type: 'number' } },
      required: ['id', 'a'],
    },
    changes: ['the alternatives at the root of its input schema are shown as one object'],
  });
});

test.each([
  ['a string at the root', { type: 'string' }, 'its input schema is not of an object but of "string"'],
  ['no schema', undefined, 'its input schema is not an object'],
  ['a root that leads nowhere', { $ref: '#/$defs/N' }, 'its input schema refers to what is not there'],
  ['a root that is its own circle', { $ref: '#' }, 'its input schema refers to what is not there'],
  [
    'a required __proto__',
    parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
    'it requires a property named "__proto__"',
  ],
  [
    'a flat schema of 300 kB',
    {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 3_000 }, (_, n) => [`property${n}`, { type: 'string', description: 'x'.repeat(70) }]),
      ),
    },
    'its input schema takes more than 32768 bytes',
  ],
])('%s is left out', (_what, schema, reason) => {
  expect(projectSchema(schema)).toEqual({ kind: 'left-out', reason });
});

test('no type at all is taken for an object', () => {
  expect(projectSchema({})).toEqual({
    kind: 'kept',
    parameters: { type: 'object', properties: {} },
    changes: ['its input schema says no type; taken for an object'],
  });
});

test('references are put in, circles and dead ends cut', () => {
  const schema = {
    type: 'object',
    properties: {
      node: { $ref: '#/$defs/N', description: 'The root.' },
      lost: { $ref: '#/$defs/Gone' },
      self: { $ref: '#/$defs/S' },
      far: { $ref: 'https://example.com/schema.json' },
    },
    $defs: {
      N: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/N' } }, required: ['name'] },
      S: { $ref: '#/$defs/S' },
    },
  };
  const projected = projectSchema(schema);
  expect(projected).toEqual({
    kind: 'kept',
    parameters: {
      type: 'object',
      properties: {
        node: {
          type: 'object',
          description: 'The root.',
          properties: { name: { type: 'string' }, next: {} },
          required: ['name'],
        },
        lost: {},
        self: {},
        far: {},
      },
    },
    changes: [
      'the circle behind #/$defs/N is not shown',
      'what is behind #/$defs/Gone is not shown',
      'the circle behind #/$defs/S is not shown',
      'what is behind https://example.com/schema.json is not shown',
    ],
  });
});

test('a property named __proto__ is not shown and touches no prototype', () => {
  const schema = parse('{"type":"object","properties":{"__proto__":{"type":"string"},"a":{"type":"string"}}}');
  const projected = projectSchema(schema);
  expect(projected).toEqual({
    kind: 'kept',
    parameters: { type: 'object', properties: { a: { type: 'string' } } },
    changes: ['a property named __proto__ is not shown'],
  });
});

test('a deep schema of 300 kB loses its depth', () => {
  const wide = (depth: number): object => ({
    type: 'object',
    description: 'x'.repeat(50),
    properties: depth === 0 ? {} : Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`p${n}`, wide(depth - 1)])),
  });
  const schema = wide(4);
  expect(JSON.stringify(schema).length).toBeGreaterThan(300_000);
  const projected = projectSchema(schema);
  expect(projected).toMatchObject({ kind: 'kept', changes: ['levels below 3 of its input schema are not shown'] });
  expect(JSON.stringify(projected).length).toBeLessThan(33_000);
});

test('references that multiply without end are cut before they do', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `d${n}`,
      { type: 'object', properties: { l: { $ref: `#/$defs/d${n + 1}` }, r: { $ref: `#/$defs/d${n + 1}` } } },
    ]),
  );
  const began = performance.now();
  const projected = projectSchema({ type: 'object', properties: { bomb: { $ref: '#/$defs/d0' } }, $defs });
  expect(projected.kind).toBe('kept');
  expect(JSON.stringify(projected).length).toBeLessThan(33_000);
  expect(performance.now() - began).toBeLessThan(5_000);
});
