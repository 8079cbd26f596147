import { z } from 'zod';

const text = z.string().nullish();
const count = z.number().nonnegative().nullish();

const ToolCallPiece = z.looseObject({
  index: z.number().int().nonnegative().nullish(),
  id: text,
  function: z.looseObject({ name: text, arguments: text }).nullish(),
});
/** A piece of a tool call as it arrives. */
export type ToolCallPiece = z.infer<typeof ToolCallPiece>;

const Delta = z.looseObject({
  content: text,
  refusal: text,
  reasoning_content: text,
  reasoning: text,
  tool_calls: z.array(ToolCallPiece).nullish(),
});

const Usage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_cache_hit_tokens: count,
  prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish(),
});
/** Token counts as the provider gives them. */
export type WireUsage = z.infer<typeof Usage>;

/** What llama.cpp counts of its own accord; `prompt_n` leaves out what it had in its cache. */
const Timings = z.looseObject({ cache_n: count, prompt_n: count, predicted_n: count });

/** One frame of a chat-completions stream; a whole completion has `message` where a frame has `delta`. */
export const WireFrame = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        index: z.number().nullish(),
        delta: Delta.nullish(),
        message: Delta.nullish(),
        finish_reason: text,
      }),
    )
    .nullish(),
  /** Counts that make no sense are no reason to lose an answer. */
  usage: Usage.nullish().catch(undefined),
  timings: Timings.nullish().catch(undefined),
});
export type WireFrame = z.infer<typeof WireFrame>;
