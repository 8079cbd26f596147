import { LlmError } from '../../domain/index.ts';
import type { ReasoningEffort } from '../../domain/index.ts';
import type { EndpointConfig } from './endpoint-config.ts';

/** What levels of thinking are called on the wire. */
export type Efforts = Readonly<Partial<Record<ReasoningEffort, string>>>;

/** The wire's word for a level; throws `UNSUPPORTED_REASONING_EFFORT` naming those there are. */
export function wireEffort(config: EndpointConfig, usual: Efforts, effort: ReasoningEffort): string {
  const efforts = config.reasoningEfforts ?? usual;
  const level = efforts[effort];
  if (level) return level;
  const message = `provider "${config.provider}" has no reasoning effort "${effort}"; it has ${Object.keys(efforts).join(', ')}`;
  throw new LlmError({ code: 'UNSUPPORTED_REASONING_EFFORT', message });
}
