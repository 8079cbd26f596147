import { z } from 'zod';
import type { FinishReason, StreamChunk, TokenUsage } from './chunks.ts';
import { ContentBlockSchema } from './content-blocks.ts';
import { CallId } from './ids.ts';
import { JsonValue } from './json.ts';
import { LlmFailureSchema } from './llm-failure.ts';
import { Natural } from './scalars.ts';

/** The strict shape of {@link TokenUsage}. */
export const TokenUsageSchema: z.ZodType<TokenUsage> = z.strictObject({
  inputTokens: Natural,
  outputTokens: Natural,
  cacheReadTokens: Natural.exactOptional(),
  cacheWriteTokens: Natural.exactOptional(),
  reasoningTokens: Natural.exactOptional(),
  costUsd: z.number().nonnegative().exactOptional(),
});

/** The strict shape of {@link FinishReason}. */
export const FinishReasonSchema: z.ZodType<FinishReason> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stop') }),
  z.strictObject({ kind: z.literal('tool-calls') }),
  z.strictObject({ kind: z.literal('max-tokens') }),
  z.strictObject({ kind: z.literal('aborted'), failure: LlmFailureSchema }),
  z.strictObject({ kind: z.literal('error'), failure: LlmFailureSchema }),
]);

const delta = { index: Natural };

/** The strict shape of {@link StreamChunk}, a closed union. */
export const StreamChunkSchema: z.ZodType<StreamChunk> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('block-start'), ...delta, blockType: z.enum(['text', 'reasoning', 'tool-call']) }),
  z.strictObject({ type: z.literal('text-delta'), ...delta, text: z.string() }),
  z.strictObject({ type: z.literal('reasoning-delta'), ...delta, text: z.string() }),
  z.strictObject({
    type: z.literal('tool-call-delta'),
    ...delta,
    id: CallId,
    name: z.string().exactOptional(),
    argumentsDelta: z.string(),
  }),
  z.strictObject({ type: z.literal('block-end'), ...delta, block: ContentBlockSchema }),
  z.strictObject({ type: z.literal('usage'), usage: TokenUsageSchema }),
  z.strictObject({ type: z.literal('finish'), reason: FinishReasonSchema, replayState: JsonValue.exactOptional() }),
]);
