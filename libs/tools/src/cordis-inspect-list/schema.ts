import { defineTool } from '../kit/index.ts';

/** Lists who can be asked about the running system. */
export const cordisInspectList = defineTool({
  name: 'cordis_inspect_list',
  toolset: 'inspect',
  description: [
    'Lists, as JSON, who can be asked about the system you run in: each provider with its platform, what it tells, and its methods with the schemas of their input and output.',
    'Call it before you write or configure a plugin, then ask with cordis_inspect_query; do not guess names.',
    'The methods are for questions only: the code of a plugin cannot call them.',
  ].join(' '),
  parameters: { type: 'object', properties: {} },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
  presentCall: () => ({ card: 'generic', title: 'List inspect providers' }),
});
