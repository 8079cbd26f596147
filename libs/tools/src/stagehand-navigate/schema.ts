import { BROWSER_TOOL, PAGE_ID, STRICT_PARAMETERS, defineTool, titledBy } from '../kit/index.ts';

/** Opens an address in a tab. */
export const stagehandNavigate = defineTool({
  name: 'stagehand_navigate',
  ...BROWSER_TOOL,
  description: [
    "Opens an address in the session's own browser, which is started when it is first used and lives until the session ends or the worker restarts.",
    'Returns the tab (`pageId`), where it ended up after redirects (`url`) and its title, as JSON. A page that has not loaded after 30 seconds is an error.',
  ].join(' '),
  parameters: {
    ...STRICT_PARAMETERS,
    properties: {
      ...PAGE_ID,
      url: {
        type: 'string',
        format: 'uri',
        description: 'Absolute http(s) URL. The browser may reach whatever this machine can reach.',
      },
    },
    required: ['url'],
  },
  presentCall: titledBy('Open page', 'url'),
});
