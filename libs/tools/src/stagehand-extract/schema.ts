import { defineTool, titledBy } from '../kit/index.ts';

/** Reads data out of a page. */
export const stagehandExtract = defineTool({
  name: 'stagehand_extract',
  toolset: 'browser',
  description: [
    'Reads data out of a page as JSON: a model reads the page and answers in the form of `schema`.',
    'Only what the page shows is read. An answer that does not obey the schema is an error; ask for fewer or simpler fields then.',
  ].join(' '),
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      pageId: {
        type: 'string',
        minLength: 1,
        description: 'The tab, as stagehand_tabs lists it. Default: the active one.',
      },
      instruction: {
        type: 'string',
        minLength: 1,
        description: 'What to read, for example "name and price of each product".',
      },
      schema: {
        type: 'object',
        propertyNames: { type: 'string' },
        additionalProperties: { $ref: '#/$defs/__schema0' },
        description: 'JSON Schema of the answer, an object at its root. Default: one text, `extraction`.',
      },
    },
    required: ['instruction'],
    additionalProperties: false,
    $defs: {
      __schema0: {
        anyOf: [
          { type: 'string' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'null' },
          { type: 'array', items: { $ref: '#/$defs/__schema0' } },
          {
            type: 'object',
            propertyNames: { type: 'string' },
            additionalProperties: { $ref: '#/$defs/__schema0' },
          },
        ],
      },
    },
  },
  home: 'host',
  effect: 'at-most-once',
  readOnly: true,
  state: 'process',
  presentCall: titledBy('Extract from page', 'instruction'),
});
