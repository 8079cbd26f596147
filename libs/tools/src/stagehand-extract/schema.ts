import { BROWSER_TOOL, PAGE_ID, STRICT_PARAMETERS, defineTool, titledBy } from '../kit/index.ts';

/** Reads data out of a page. */
export const stagehandExtract = defineTool({
  name: 'stagehand_extract',
  ...BROWSER_TOOL,
  description: [
    'Reads data out of a page as JSON: a model reads the page and answers in the form of `schema`.',
    'Only what the page shows is read. An answer that does not obey the schema is an error; ask for fewer or simpler fields then.',
  ].join(' '),
  parameters: {
    ...STRICT_PARAMETERS,
    properties: {
      ...PAGE_ID,
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
  readOnly: true,
  presentCall: titledBy('Extract from page', 'instruction'),
});
