import type { TokenUsage } from '../../domain/index.ts';
import type { WireUsage } from './wire-frame.ts';

/** Makes the provider's overlapping counts disjoint; `undefined` when it counted nothing. */
export function tokenUsage(wire: WireUsage): TokenUsage | undefined {
  const prompt = wire.prompt_tokens ?? undefined;
  const output = wire.completion_tokens ?? undefined;
  if (prompt === undefined && output === undefined) return undefined;
  const cached = wire.prompt_tokens_details?.cached_tokens ?? wire.prompt_cache_hit_tokens ?? undefined;
  const reasoning = wire.completion_tokens_details?.reasoning_tokens ?? undefined;
  return {
    inputTokens: Math.max(0, Math.round((prompt ?? 0) - (cached ?? 0))),
    outputTokens: Math.round(output ?? 0),
    ...(cached !== undefined && { cacheReadTokens: Math.round(cached) }),
    ...(reasoning !== undefined && { reasoningTokens: Math.round(reasoning) }),
  };
}
