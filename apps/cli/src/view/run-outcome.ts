import { roundedUsd, textOf, type SessionEvent, type TokenUsage, type TurnEndReason } from '@everturn/core/domain';

/** Tokens by kind, and what they cost where that is known. */
type CountedUsage = Required<Omit<TokenUsage, 'costUsd'>> & Pick<TokenUsage, 'costUsd'>;

/** What one turn came to. Tokens are summed over its answers; times in epoch ms. */
export interface RunOutcome {
  turn?: number;
  reason?: TurnEndReason;
  /** The last text the agent said. */
  answer?: string;
  provider?: string;
  model?: string;
  steps: number;
  toolCalls: number;
  retries: number;
  usage: CountedUsage;
  startedAt?: number;
  endedAt?: number;
}

/** A turn nothing is known about yet. */
export const emptyOutcome = (): RunOutcome => ({
  steps: 0,
  toolCalls: 0,
  retries: 0,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
});

/** The outcome after one more event of the turn. */
export function foldOutcome(outcome: RunOutcome, event: SessionEvent): RunOutcome {
  switch (event.type) {
    case 'turn/start':
      return { ...outcome, turn: event.data.turn, startedAt: event.time };
    case 'turn/end':
      return { ...outcome, reason: event.data.reason, endedAt: event.time };
    case 'step/start':
      return { ...outcome, steps: outcome.steps + 1 };
    case 'request/header': {
      const { provider, model } = event.data.header.config;
      return { ...outcome, provider, model };
    }
    case 'assistant/message': {
      const { content, usage, provenance } = event.data;
      const said = textOf(content);
      return {
        ...outcome,
        provider: provenance.provider,
        model: provenance.model,
        usage: usage ? addUsage(outcome.usage, usage) : outcome.usage,
        ...(said.trim() !== '' && { answer: said }),
      };
    }
    case 'tool/call':
      return { ...outcome, toolCalls: outcome.toolCalls + 1 };
    case 'llm/retry':
      return { ...outcome, retries: outcome.retries + 1 };
    default:
      return outcome;
  }
}

function addUsage(sum: CountedUsage, usage: TokenUsage): CountedUsage {
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    cacheReadTokens: sum.cacheReadTokens + (usage.cacheReadTokens ?? 0),
    cacheWriteTokens: sum.cacheWriteTokens + (usage.cacheWriteTokens ?? 0),
    reasoningTokens: sum.reasoningTokens + (usage.reasoningTokens ?? 0),
    ...(usage.costUsd !== undefined && { costUsd: roundedUsd((sum.costUsd ?? 0) + usage.costUsd) }),
  };
}
