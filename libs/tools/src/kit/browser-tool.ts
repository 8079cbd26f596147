/** What all tools of the browser have in common. */
export const BROWSER_TOOL = {
  toolset: 'browser',
  home: 'host',
  effect: 'at-most-once',
  state: 'process',
} as const;

/** How they say which tab they mean. */
export const PAGE_ID = {
  pageId: {
    type: 'string',
    minLength: 1,
    description: 'The tab, as stagehand_tabs lists it. Default: the active one.',
  },
} as const;

/** The form of their parameters. */
export const STRICT_PARAMETERS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  additionalProperties: false,
} as const;
