import { BROWSER_TOOL, PAGE_ID, STRICT_PARAMETERS, defineTool, titledBy } from '../kit/index.ts';

/** Does one thing on a page. */
export const stagehandAct = defineTool({
  name: 'stagehand_act',
  ...BROWSER_TOOL,
  description: [
    'Does one thing on a page, such as a click or filling in a field, described in words; a model finds the element. Say one action at a time, and name the element as the page shows it.',
    'Returns as JSON what was done; fails when the element is not found or the action has no success.',
  ].join(' '),
  parameters: {
    ...STRICT_PARAMETERS,
    properties: {
      ...PAGE_ID,
      instruction: {
        type: 'string',
        minLength: 1,
        description: 'One action, for example "click the Sign in button" or "type 42 into the amount field".',
      },
    },
    required: ['instruction'],
  },
  presentCall: titledBy('Act on page', 'instruction'),
});
