import { defineTool, titledBy } from '../kit/index.ts';

/** Shows a tab as a picture. */
export const stagehandScreenshot = defineTool({
  name: 'stagehand_screenshot',
  toolset: 'browser',
  description: [
    'Shows a tab as a picture (PNG). Needs a model that takes images; others should use stagehand_extract or stagehand_observe.',
    'Large pictures are scaled down to what a model can use.',
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
      fullPage: {
        type: 'boolean',
        default: false,
        description: 'The whole page rather than what the window shows. Default: false.',
      },
    },
    required: ['fullPage'],
    additionalProperties: false,
  },
  home: 'host',
  effect: 'at-most-once',
  readOnly: true,
  state: 'process',
  presentCall: titledBy('Screenshot', 'pageId'),
});
