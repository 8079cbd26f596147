/** What all tools over the resources of MCP servers have in common. */
export const RESOURCE_TOOL = { presence: 'changing', home: 'host', effect: 'at-most-once', readOnly: true } as const;

/** How they say which server they mean. */
export const SERVER = {
  server: { type: 'string', description: 'Name of the server, one of those the system prompt lists.' },
} as const;

/** The parameters of those that list. */
export const LISTING = {
  type: 'object',
  properties: {
    ...SERVER,
    cursor: {
      type: 'string',
      description:
        'Returns the one page this cursor names, with the cursor of the next as `nextCursor` if there is one. Default: all pages together.',
    },
  },
  required: ['server'],
} as const;
