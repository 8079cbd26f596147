import { z } from 'zod';

const text = z.string().nullish();
const count = z.number().nonnegative().nullish();
const output_index = z.number().int().nonnegative();

const Usage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: z.looseObject({ cached_tokens: count }).nullish(),
  output_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish(),
});
/** Token counts as the provider gives them. */
export type WireUsage = z.infer<typeof Usage>;

const Texts = z.array(z.looseObject({ type: z.string().nullish(), text, refusal: text })).nullish();

const Item = z.looseObject({
  type: z.string(),
  id: text,
  call_id: text,
  name: text,
  arguments: text,
  content: Texts,
  summary: Texts,
  encrypted_content: text,
});
/** An item of the output as it begins, or as it ended up. */
export type WireItem = z.infer<typeof Item>;

const Response = z.looseObject({
  /** Counts that make no sense are no reason to lose an answer. */
  usage: Usage.nullish().catch(undefined),
  error: z.unknown().optional(),
  incomplete_details: z.looseObject({ reason: text }).nullish(),
});
export type WireResponse = z.infer<typeof Response>;

const delta = z.looseObject({ output_index, delta: z.string() });
const last = z.looseObject({ response: Response });

/** The events an answer is made of; others say nothing we need. */
export const EVENTS = {
  'response.output_item.added': z.looseObject({ output_index, item: Item }),
  'response.output_item.done': z.looseObject({ output_index, item: Item }),
  'response.output_text.delta': delta,
  'response.refusal.delta': delta,
  'response.reasoning_summary_part.added': z.looseObject({ output_index, summary_index: z.number().nullish() }),
  'response.reasoning_summary_text.delta': delta,
  'response.reasoning_text.delta': delta,
  'response.function_call_arguments.delta': delta,
  'response.completed': last,
  'response.incomplete': last,
  'response.failed': last,
} as const;
export type EventName = keyof typeof EVENTS;
