import { expect, test } from 'vitest';
import { checkOutputSchema, type JsonValue } from './index.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more }) as JsonValue;

test('what the subset holds passes', () => {
  const schema = object(
    {
      name: { type: 'string', description: 'x', enum: ['a', 'b'], const: 'a' },
      list: { type: 'array', items: { oneOf: [{ type: 'null' }, { type: 'integer', default: 1 }] } },
    },
    { required: ['name'], additionalProperties: false, title: 'T', examples: [] },
  );
  expect(checkOutputSchema(schema)).toEqual([]);
});

test.each<[JsonValue, string[]]>([
  [
    object({ a: { type: ['string', 'null'] } }),
    ['schema.properties.a.type must be one of object, array, string, number, integer, boolean, null'],
  ],
  [
    object({ a: { type: 'string', pattern: 'x', format: 'y' } }),
    ['schema.properties.a.pattern is not supported', 'schema.properties.a.format is not supported'],
  ],
  [object({ a: { type: 'number', minimum: 1 } }), ['schema.properties.a.minimum is not supported']],
  [object({}, { additionalProperties: {} }), ['schema.additionalProperties must be true or false']],
  [object({}, { required: ['a'] }), ['schema.required names "a", which properties does not declare']],
  [{ oneOf: [{ type: 'null' }, { type: 'string' }] }, ['schema.type must be "object"']],
  [object({ a: { type: 'string', enum: [1] } }), ['schema.properties.a.enum holds 1, which is no string']],
  [object({ a: { enum: [] } }), ['schema.properties.a.enum must hold at least one value']],
  [object({ a: { enum: ['x'], const: 'y' } }), ['schema.properties.a.const is not in its enum']],
  [object({ a: { oneOf: [{ type: 'null' }] } }), ['schema.properties.a.oneOf needs at least two branches']],
  [
    object({ a: { type: 'string', oneOf: [{ type: 'null' }, { type: 'string' }] } }),
    ['schema.properties.a.type must not stand beside oneOf'],
  ],
  ['no', ['schema must be an object']],
])('%j is refused, all of it at once', (schema, problems) => expect(checkOutputSchema(schema)).toEqual(problems));
