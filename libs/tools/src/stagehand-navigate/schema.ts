import { defineTool, titledBy } from '../kit/index.ts';

/** Opens an address in a tab. */
export const stagehandNavigate = defineTool({
  name: 'stagehand_navigate',
  toolset: 'browser',
  description: [
    "Opens an address in the session's own browser, which is started when it is first used and lives until the session ends or the worker restarts.",
    'Returns the tab (`pageId`), where it ended up after redirects (`url`) and its title, as JSON. A page that has not loaded after 30 seconds is an error.',
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
      url: {
        type: 'string',
        format: 'uri',
        description: 'Absolute http(s) URL. The browser may reach whatever this machine can reach.',
      },
    },
    required: ['url'],
    additionalProperties: false,
  },
  home: 'host',
  effect: 'at-most-once',
  state: 'process',
  presentCall: titledBy('Open page', 'url'),
});
