import { assertNever, LlmError } from '../../domain/index.ts';
import type { GenerateOptions, ReasoningEffort } from '../../domain/index.ts';
import type { ModelInput, OpenAiChatConfig } from './config.ts';

type Model = OpenAiChatConfig['models'][number];
const DEEPSEEK = { contextWindow: 1_000_000, maxTokens: 256_000 };
const DEEPSEEK_MODELS: Model[] = [
  { id: 'deepseek-v4-flash', name: 'DeepSeek V4 Flash', ...DEEPSEEK },
  { id: 'deepseek-v4-pro', name: 'DeepSeek V4 Pro', ...DEEPSEEK },
];
const SCRIPTED_MODELS: Model[] = [
  { id: 'scripted-demo', name: 'Scripted demo (not a model)', contextWindow: 128_000 },
  { id: 'scripted-echo', name: 'Scripted echo (not a model)', contextWindow: 128_000 },
  { id: 'scripted-faults', name: 'Scripted faults (not a model)', contextWindow: 128_000 },
];
const USUAL_EFFORTS = { low: 'low', medium: 'medium', high: 'high' };
const ALL_EFFORTS = { off: 'off', ...USUAL_EFFORTS, max: 'max' };
const DEEPSEEK_EFFORTS = { off: 'off', low: 'low', high: 'high', max: 'max' };

/** The models of a route: those configured, else those everybody knows of this dialect. */
export function modelsOf(config: OpenAiChatConfig): readonly Model[] {
  if (config.models.length > 0) return config.models;
  switch (config.dialect) {
    case 'deepseek':
      return DEEPSEEK_MODELS;
    case 'scripted':
      return SCRIPTED_MODELS;
    case 'openai':
      return [];
    default:
      return assertNever(config.dialect, 'dialect');
  }
}

const USUAL_INPUT: Record<OpenAiChatConfig['dialect'], readonly ModelInput[]> = {
  openai: ['text'],
  deepseek: ['text'],
  scripted: ['text', 'image'],
};

/** What a model of a route takes: as declared for it, else for the route; a provider that says nothing gets text alone. */
export function inputOf(config: OpenAiChatConfig, model: string): readonly ModelInput[] {
  return modelsOf(config).find(({ id }) => id === model)?.input ?? config.input ?? USUAL_INPUT[config.dialect];
}

/** The tokens a model of a route holds, if anybody says. A scripted model holds what its name says: `name@32000`. */
export function contextWindowOf(config: OpenAiChatConfig, model: string): number | undefined {
  const said = config.dialect === 'scripted' ? /@(\d{3,9})$/.exec(model)?.[1] : undefined;
  if (said !== undefined) return Number(said);
  return modelsOf(config).find(({ id }) => id === model)?.contextWindow ?? config.contextWindow;
}

/** The request members that ask for an amount of thinking; throws `UNSUPPORTED_REASONING_EFFORT`. */
export function effortFields(config: OpenAiChatConfig, options: GenerateOptions): Record<string, unknown> {
  if (config.dialect !== 'deepseek') {
    if (!options.reasoningEffort) return {};
    const efforts = config.dialect === 'scripted' ? ALL_EFFORTS : USUAL_EFFORTS;
    return { reasoning_effort: wireEffort(config.reasoningEfforts ?? efforts, options.reasoningEffort, config) };
  }
  const effort = options.purpose === 'session-title' ? 'off' : (options.reasoningEffort ?? 'high');
  const level = wireEffort(config.reasoningEfforts ?? DEEPSEEK_EFFORTS, effort, config);
  if (effort === 'off') return { thinking: { type: 'disabled' } };
  return { thinking: { type: 'enabled' }, reasoning_effort: level };
}

function wireEffort(
  efforts: Partial<Record<ReasoningEffort, string>>,
  effort: ReasoningEffort,
  config: OpenAiChatConfig,
): string {
  const level = efforts[effort];
  if (level) return level;
  const message = `provider "${config.provider}" has no reasoning effort "${effort}"; it has ${Object.keys(efforts).join(', ')}`;
  throw new LlmError({ code: 'UNSUPPORTED_REASONING_EFFORT', message });
}

/** Headers that tell who calls and what for; never prompt content. */
export function callHeaders(config: OpenAiChatConfig, options: GenerateOptions): Record<string, string> {
  switch (config.dialect) {
    case 'deepseek':
      return {
        ...(options.sessionId && { 'x-deepseek-harness-session-id': options.sessionId }),
        ...(options.purpose === 'compaction' && { 'x-deepseek-harness-compact': '1' }),
      };
    case 'scripted':
      return {
        ...(options.sessionId && { 'x-everturn-session-id': options.sessionId }),
        ...(options.purpose && { 'x-everturn-purpose': options.purpose }),
      };
    case 'openai':
      return {};
    default:
      return assertNever(config.dialect, 'dialect');
  }
}

/** OpenAI's own API refuses the name that all others know. */
export function maxTokensField(config: OpenAiChatConfig): 'max_tokens' | 'max_completion_tokens' {
  const own = new URL(config.baseUrl).hostname === 'api.openai.com';
  return config.maxTokensField ?? (own ? 'max_completion_tokens' : 'max_tokens');
}

/**
 * Whether thinking goes back with a message. DeepSeek refuses histories without it; others know the field
 * for sure only where they sent it themselves.
 */
export function replaysReasoning(config: OpenAiChatConfig, author: string | undefined): boolean {
  return config.dialect === 'deepseek' || author === config.provider;
}
