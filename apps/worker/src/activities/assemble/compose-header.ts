import type { EpochHeader, LlmCallConfig, Message, ToolSchema } from '@everturn/core/domain';
import type { SessionFacts } from '../context/session-facts.ts';
import { composeSystemPrompt, type PromptSection, type RegistryView } from '../../plugins/index.ts';

export const IDENTITY_SECTION = 'harness:identity';
export const PERSONA_SECTION = 'deployment:persona';

export interface HeaderInput {
  facts: SessionFacts;
  view: RegistryView;
  config: LlmCallConfig;
  prefix: Message[];
}

/** What a request holds besides its history, in canonical form: empty parts are absent, tools sorted by name. */
export function composeHeader({ facts, view, config, prefix }: HeaderInput): EpochHeader {
  const system = composeSystemPrompt({
    sections: sectionsFor(facts, view),
    variables: { provider: config.provider, model: config.model, cwd: facts.header.cwd },
  });
  const tools = [...view.tools.values()]
    .map(({ definition: { name, description, parameters } }): ToolSchema => ({
      name,
      description,
      parameters: parameters as unknown as ToolSchema['parameters'],
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    config,
    ...(system !== '' && { system }),
    ...(tools.length > 0 && { tools }),
    ...(prefix.length > 0 && { messagePrefix: prefix }),
  };
}

/** A session's own system prompt takes the place of the deployment's persona. */
function sectionsFor({ options }: SessionFacts, view: RegistryView): PromptSection[] {
  if (options.systemPrompt === undefined) return [...view.sections];
  const others = view.sections.filter(({ name }) => name !== PERSONA_SECTION);
  return [...others, { name: PERSONA_SECTION, order: 0, text: options.systemPrompt }];
}
