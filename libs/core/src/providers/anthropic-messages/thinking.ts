import { LlmError } from '../../domain/index.ts';
import type { GenerateOptions } from '../../domain/index.ts';
import { wireEffort } from '../wire/efforts.ts';
import type { Efforts } from '../wire/efforts.ts';
import type { AnthropicConfig } from './config.ts';

/** The levels of models that choose by themselves how much to think. */
export const EFFORTS: Efforts = { off: 'off', low: 'low', medium: 'medium', high: 'high', max: 'max' };

/** How much thinking a request asks for; nobody thinks about a title. Throws `UNSUPPORTED_REASONING_EFFORT`. */
export function thinkingFields(config: AnthropicConfig, options: GenerateOptions) {
  const effort = options.purpose === 'session-title' ? undefined : options.reasoningEffort;
  if (!effort) return {};
  if (effort === 'off') return { thinking: { type: 'disabled' as const } };
  if (!config.thinkingBudgets) {
    const level = wireEffort(config, EFFORTS, effort) as 'low' | 'medium' | 'high' | 'max';
    return {
      thinking: { type: 'adaptive' as const, display: 'summarized' as const },
      output_config: { effort: level },
    };
  }
  const budget_tokens = config.thinkingBudgets[effort];
  if (budget_tokens !== undefined) return { thinking: { type: 'enabled' as const, budget_tokens } };
  const known = Object.keys(config.thinkingBudgets).join(', ');
  const message = `provider "${config.provider}" has no thinking budget "${effort}"; it has ${known}`;
  throw new LlmError({ code: 'UNSUPPORTED_REASONING_EFFORT', message });
}
