import { BROWSER_TOOL, PAGE_ID, STRICT_PARAMETERS, defineTool, titledBy } from '../kit/index.ts';

/** Shows a tab as a picture. */
export const stagehandScreenshot = defineTool({
  name: 'stagehand_screenshot',
  ...BROWSER_TOOL,
  description: [
    'Shows a tab as a picture (PNG). Needs a model that takes images; others should use stagehand_extract or stagehand_observe.',
    'Large pictures are scaled down to what a model can use.',
  ].join(' '),
  parameters: {
    ...STRICT_PARAMETERS,
    properties: {
      ...PAGE_ID,
      fullPage: {
        type: 'boolean',
        default: false,
        description: 'The whole page rather than what the window shows. Default: false.',
      },
    },
    required: ['fullPage'],
  },
  readOnly: true,
  presentCall: titledBy('Screenshot', 'pageId'),
});
