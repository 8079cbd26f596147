import { defineTool, stringField } from '../kit/index.ts';

/** Asks one provider about the running system. */
export const cordisInspectQuery = defineTool({
  name: 'cordis_inspect_query',
  toolset: 'inspect',
  description: [
    'Asks one provider of cordis_inspect_list about the system you run in and returns its answer as JSON: tools and their schemas, events, services, what plugin code can call.',
    'Most methods list names in short when asked without input, and all about one when asked with its name.',
    'It only reads: it calls no service and changes nothing.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      platform: {
        type: 'string',
        enum: ['host', 'client'],
        description:
          'Where the provider runs, as listed: host is the server; client is a connected page, and is refused as unknown while none offers the provider. A page is waited for until it answers.',
      },
      provider: { type: 'string', description: 'Exact id of the provider, as listed.' },
      method: { type: 'string', description: 'Exact name of one of its methods, as listed.' },
      input: { description: 'What to ask with, as the input schema of the method says. Default: an empty object.' },
    },
    required: ['platform', 'provider', 'method'],
  },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
  presentCall: (args) => {
    const provider = stringField(args, 'provider');
    const method = stringField(args, 'method');
    return provider === undefined || method === undefined
      ? undefined
      : { card: 'generic', title: `Inspect ${provider}.${method}` };
  },
});
