import { defineTool, titledBy } from '../kit/index.ts';

/** Finds elements of a page. */
export const stagehandObserve = defineTool({
  name: 'stagehand_observe',
  toolset: 'browser',
  description: [
    'Finds elements of a page that fit a description, without touching them; use it to see what could be acted on.',
    'Returns a JSON list, each entry with a selector, a description and the action it allows; an empty list when nothing fits.',
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
        description: 'What to look for, for example "the search field" or "every link in the menu".',
      },
    },
    required: ['instruction'],
    additionalProperties: false,
  },
  home: 'host',
  effect: 'at-most-once',
  readOnly: true,
  state: 'process',
  presentCall: titledBy('Observe page', 'instruction'),
});
