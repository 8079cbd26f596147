import { BROWSER_TOOL, PAGE_ID, STRICT_PARAMETERS, defineTool, titledBy } from '../kit/index.ts';

/** Finds elements of a page. */
export const stagehandObserve = defineTool({
  name: 'stagehand_observe',
  ...BROWSER_TOOL,
  description: [
    'Finds elements of a page that fit a description, without touching them; use it to see what could be acted on.',
    'Returns a JSON list, each entry with a selector, a description and the action it allows; an empty list when nothing fits.',
  ].join(' '),
  parameters: {
    ...STRICT_PARAMETERS,
    properties: {
      ...PAGE_ID,
      instruction: {
        type: 'string',
        minLength: 1,
        description: 'What to look for, for example "the search field" or "every link in the menu".',
      },
    },
    required: ['instruction'],
  },
  readOnly: true,
  presentCall: titledBy('Observe page', 'instruction'),
});
