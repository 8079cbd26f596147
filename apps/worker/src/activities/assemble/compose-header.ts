import type { EpochHeader, LlmCallConfig, Message, Permissions, ToolSchema } from '@everturn/core/domain';
import { withEscalation } from '@everturn/tools/kit';
import type { SessionFacts } from '../context/session-facts.ts';
import {
  askWaterfall,
  composeSystemPrompt,
  type ListenerContext,
  type PromptSection,
  type RegistryView,
} from '../../plugins/index.ts';
import { permissionSections } from './permission-sections.ts';

export const IDENTITY_SECTION = 'harness:identity';
export const PERSONA_SECTION = 'deployment:persona';

export interface HeaderInput {
  facts: SessionFacts;
  view: RegistryView;
  config: LlmCallConfig;
  prefix: Message[];
  permissions?: Permissions;
  context: ListenerContext;
}

/** What a request holds besides its history, in canonical form: empty parts are absent, tools sorted by name. */
export async function composeHeader(input: HeaderInput): Promise<EpochHeader> {
  const { facts, view, config, prefix } = input;
  const { cwd } = facts.header;
  const assembled = await askWaterfall<'system-prompt/assemble'>({
    listeners: view.listeners('system-prompt/assemble'),
    input: { ...offered(input), config, ...(cwd !== undefined && { cwd }) },
    context: input.context,
    fallback: offered(input),
  });
  const tools = [...assembled.tools];
  const system = composeSystemPrompt({
    sections: assembled.sections,
    variables: { provider: config.provider, model: config.model, cwd },
  });
  return {
    config,
    ...(system !== '' && { system }),
    ...(tools.length > 0 && { tools }),
    ...(prefix.length > 0 && { messagePrefix: prefix }),
  };
}

function offered({ facts, view, permissions }: HeaderInput): { sections: PromptSection[]; tools: ToolSchema[] } {
  const tools = [...view.tools.values()]
    .map(({ definition: { name, description, parameters, escalation } }): ToolSchema => ({
      name,
      description,
      parameters: (escalation ? withEscalation(parameters) : parameters) as unknown as ToolSchema['parameters'],
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const policies = permissions ? permissionSections(permissions, facts.header.cwd) : [];
  return { sections: [...sectionsFor(facts, view), ...policies], tools };
}

/** A session's own system prompt takes the place of the deployment's persona. */
function sectionsFor({ options }: SessionFacts, view: RegistryView): PromptSection[] {
  if (options.systemPrompt === undefined) return [...view.sections];
  const others = view.sections.filter(({ name }) => name !== PERSONA_SECTION);
  return [...others, { name: PERSONA_SECTION, order: 0, text: options.systemPrompt }];
}
