import { defineTool, titledBy } from '../kit/index.ts';

/** Does one thing on a page. */
export const stagehandAct = defineTool({
  name: 'stagehand_act',
  toolset: 'browser',
  description: [
    'Does one thing on a page, such as a click or filling in a field, described in words; a model finds the element. Say one action at a time, and name the element as the page shows it.',
    'Returns as JSON what was done; fails when the element is not found or the action has no success.',
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
        description: 'One action, for example "click the Sign in button" or "type 42 into the amount field".',
      },
    },
    required: ['instruction'],
    additionalProperties: false,
  },
  home: 'host',
  effect: 'at-most-once',
  state: 'process',
  presentCall: titledBy('Act on page', 'instruction'),
});
