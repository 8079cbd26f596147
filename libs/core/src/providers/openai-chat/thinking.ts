import { assertNever } from '../../domain/index.ts';
import type { GenerateOptions, ReasoningEffort } from '../../domain/index.ts';
import { wireEffort } from '../wire/efforts.ts';
import type { Efforts } from '../wire/efforts.ts';
import type { ChatDialect, OpenAiChatConfig } from './config.ts';

const USUAL: Efforts = { low: 'low', medium: 'medium', high: 'high' };
/** The levels of each dialect, where its route names none. */
export const EFFORTS: Record<ChatDialect, Efforts> = {
  openai: USUAL,
  deepseek: { off: 'off', low: 'low', high: 'high', max: 'max' },
  vllm: { off: 'off', ...USUAL },
  llamacpp: { off: 'off', ...USUAL },
  ollama: { off: 'none', ...USUAL },
  scripted: { off: 'off', ...USUAL, max: 'max' },
};

/** The request members that ask for an amount of thinking; throws `UNSUPPORTED_REASONING_EFFORT`. */
export function effortFields(config: OpenAiChatConfig, options: GenerateOptions): Record<string, unknown> {
  const wanted = wantedEffort(config, options);
  if (!wanted) return {};
  const level = wireEffort(config, EFFORTS[config.dialect], wanted);
  const thinks = wanted !== 'off';
  switch (config.dialect) {
    case 'deepseek':
      return thinks ? { thinking: { type: 'enabled' }, reasoning_effort: level } : { thinking: { type: 'disabled' } };
    case 'vllm':
      // Templates call it by either name, and pass over what they do not know.
      return {
        ...(thinks && { reasoning_effort: level }),
        chat_template_kwargs: { enable_thinking: thinks, thinking: thinks },
      };
    case 'llamacpp':
      return { chat_template_kwargs: { enable_thinking: thinks, ...(thinks && { reasoning_effort: level }) } };
    case 'openai':
    case 'ollama':
    case 'scripted':
      return { reasoning_effort: level };
    default:
      return assertNever(config.dialect, 'dialect');
  }
}

/** DeepSeek thinks unless it is told not to, and nobody thinks about a title. */
function wantedEffort({ dialect }: OpenAiChatConfig, options: GenerateOptions): ReasoningEffort | undefined {
  if (dialect !== 'deepseek') return options.reasoningEffort;
  return options.purpose === 'session-title' ? 'off' : (options.reasoningEffort ?? 'high');
}
