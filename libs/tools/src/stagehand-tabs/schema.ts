import { BROWSER_TOOL, defineTool, titledBy } from '../kit/index.ts';

/** Lists, opens, chooses and closes tabs. */
export const stagehandTabs = defineTool({
  name: 'stagehand_tabs',
  ...BROWSER_TOOL,
  description: [
    "Lists, opens, selects and closes tabs of the session's own browser; every action returns all tabs as JSON, each with `pageId`, `url`, `title` and whether it is active.",
    'A new tab becomes the active one. Closing the last tab leaves an empty one.',
  ].join(' '),
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    oneOf: [
      {
        type: 'object',
        properties: { action: { type: 'string', const: 'list', description: 'Lists the tabs.' } },
        required: ['action'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          action: { type: 'string', const: 'new', description: 'Opens a tab.' },
          url: { type: 'string', format: 'uri', description: 'Absolute http(s) URL to open. Default: an empty tab.' },
        },
        required: ['action'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: ['select', 'close'],
            description: 'Makes a tab the active one, or closes it.',
          },
          pageId: { type: 'string', minLength: 1, description: 'The tab, as the list names it.' },
        },
        required: ['action', 'pageId'],
        additionalProperties: false,
      },
    ],
    type: 'object',
  },
  presentCall: titledBy('Browser tabs', 'action'),
});
