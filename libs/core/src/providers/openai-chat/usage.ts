import type { TokenUsage } from '../../domain/index.ts';
import type { WireFrame, WireUsage } from './wire-frame.ts';

/** What a frame says was used, in counts that do not overlap; `undefined` when it counts nothing. */
export function tokenUsage({ usage, timings }: Pick<WireFrame, 'usage' | 'timings'>): TokenUsage | undefined {
  return (usage ? counted(usage) : undefined) ?? (timings ? timed(timings) : undefined);
}

function counted(wire: WireUsage): TokenUsage | undefined {
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

/** llama.cpp measures each answer, also where nobody asked for its usage. */
function timed({ cache_n: cached, prompt_n: prompt, predicted_n: output }: NonNullable<WireFrame['timings']>) {
  if (typeof prompt !== 'number' || typeof output !== 'number') return undefined;
  return {
    inputTokens: Math.round(prompt),
    outputTokens: Math.round(output),
    ...(typeof cached === 'number' && { cacheReadTokens: Math.round(cached) }),
  };
}
