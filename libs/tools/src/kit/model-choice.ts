import type { ModelWish } from '@everturn/core/domain';
import type { ParameterSchema } from './json-schema.ts';
import { fieldsOf } from './presentation.ts';

/** The parameters of a tool that delegates, in sessions whose model may choose the model of an agent. */
export function withModelChoice(parameters: ParameterSchema): ParameterSchema {
  return {
    ...parameters,
    properties: {
      ...parameters.properties,
      provider: {
        type: 'string',
        description:
          'Whose model the agent has, as list_subagent_models shows it; only together with `model`. Default: yours.',
      },
      model: {
        type: 'string',
        description:
          'Which model the agent has, as list_subagent_models shows it; only together with `provider`. Default: yours.',
      },
      reasoning_effort: {
        type: 'string',
        description:
          'How much the agent thinks: off, low, medium, high or max, as far as its model has it. Default: as you do, or the usual of another model.',
      },
    },
  };
}

/** What a call asks of the model of an agent; throws for values that are no texts. */
export function modelWishOf(args: unknown): ModelWish {
  const { provider, model, reasoning_effort: reasoningEffort } = fieldsOf(args);
  for (const [name, value] of Object.entries({ provider, model, reasoning_effort: reasoningEffort }))
    if (value !== undefined && typeof value !== 'string') throw new Error(`invalid ${name}: expected a string`);
  // Texts, as was just checked.
  return {
    ...(provider !== undefined && { provider: provider as string }),
    ...(model !== undefined && { model: model as string }),
    ...(reasoningEffort !== undefined && { reasoningEffort: reasoningEffort as string }),
  };
}
