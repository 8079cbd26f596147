import { orderTools } from '@everturn/core/domain';
import type {
  EpochHeader,
  LlmCallConfig,
  Message,
  Permissions,
  PlanEnforcement,
  ShellLimits,
  ToolSchema,
} from '@everturn/core/domain';
import { CODE_TOOL, withEscalation, withShellLimits } from '@everturn/tools/kit';
import type { SessionFacts } from '../context/session-facts.ts';
import {
  askWaterfall,
  composeSystemPrompt,
  type ListenerContext,
  type PromptSection,
  type RegistryView,
} from '../../plugins/index.ts';
import { codeSections } from './code-sections.ts';
import { delegationSections } from './delegation-sections.ts';
import { toolsFor, type DelegationSetup } from './offered-tools.ts';
import { planSection } from './plan-section.ts';
import { permissionSections } from './permission-sections.ts';

export const IDENTITY_SECTION = 'harness:identity';
export const PERSONA_SECTION = 'deployment:persona';

export interface HeaderInput {
  facts: SessionFacts;
  view: RegistryView;
  config: LlmCallConfig;
  prefix: Message[];
  permissions?: Permissions;
  /** Present in plan mode. */
  plan?: { text: string; enforcement: PlanEnforcement };
  toolOrder?: readonly string[];
  /** What the tenant says in place of the deployment's persona. */
  persona?: string;
  /** What the tenant lets commands take in place of what the deployment does. */
  shell?: ShellLimits;
  delegation: DelegationSetup;
  context: ListenerContext;
}

/** What a request holds besides its history, in canonical form: empty parts are absent, tools in their order. */
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

function offered({ facts, view, permissions, plan, toolOrder, persona, shell, delegation }: HeaderInput): {
  sections: PromptSection[];
  tools: ToolSchema[];
} {
  const all = [...view.tools.values()].map(({ definition }) => definition);
  const definitions = toolsFor(facts, all, delegation);
  const limited = shell
    ? definitions.map((tool) => ({ ...tool, parameters: withShellLimits(tool.parameters, shell) }))
    : definitions;
  const shown = limited.map((tool) =>
    tool.escalation ? { ...tool, parameters: withEscalation(tool.parameters) } : tool,
  );
  const ordered = orderTools(shown, toolOrder);
  const wire = view.toolsMode === 'ptc' ? ordered.filter(({ name }) => name === CODE_TOOL) : ordered;
  const tools = wire.map(({ name, description, parameters }): ToolSchema => ({
    name,
    description,
    parameters,
  }));
  const policies = [
    ...(permissions ? permissionSections(permissions, facts.header.cwd) : []),
    ...delegationSections(facts),
  ];
  const planning = plan ? [planSection(plan)] : [];
  const code = codeSections(view.toolsMode, ordered);
  return { sections: [...sectionsFor(facts, view, persona), ...planning, ...policies, ...code], tools };
}

/** A session's own system prompt goes before the tenant's persona, that before the deployment's. */
function sectionsFor({ options }: SessionFacts, view: RegistryView, persona: string | undefined): PromptSection[] {
  const text = options.systemPrompt ?? persona;
  if (text === undefined) return [...view.sections];
  const others = view.sections.filter(({ name }) => name !== PERSONA_SECTION);
  return [...others, { name: PERSONA_SECTION, order: 0, text }];
}
