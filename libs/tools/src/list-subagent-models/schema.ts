import { defineTool } from '../kit/index.ts';

/** Which models agents may be given. */
export const listSubagentModels = defineTool({
  name: 'list_subagent_models',
  audience: 'model-choosers',
  description: [
    'Shows which models you may give the agents you start, by provider, model and reasoning_effort of the tools that start them.',
    'Without arguments it lists providers, with a provider its models, with both what is known of that model.',
    'Choose only where the task calls for another model: agents have yours otherwise.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      provider: { type: 'string', description: 'Show the models of this provider. Default: list providers.' },
      model: { type: 'string', description: 'Show what is known of this model. Only together with `provider`.' },
    },
  },
  home: 'model',
  effect: 'idempotent',
  readOnly: true,
});
