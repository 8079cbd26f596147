import { z } from 'zod';

const index = z.number().int().nonnegative();
const text = z.string().nullish();
const count = z.number().nonnegative().nullish();

const Usage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  output_tokens_details: z.looseObject({ thinking_tokens: count }).nullish(),
});
/** Token counts; each event that has any says the total so far. */
export type WireUsage = z.infer<typeof Usage>;
/** Counts that make no sense are no reason to lose an answer. */
const usage = Usage.nullish().catch(undefined);

const Block = z.looseObject({
  type: z.string(),
  text,
  thinking: text,
  signature: text,
  data: text,
  id: text,
  name: text,
  input: z.unknown().optional(),
});
/** A block as it begins. */
export type WireBlock = z.infer<typeof Block>;

const Delta = z.looseObject({ type: z.string(), text, thinking: text, signature: text, partial_json: text });
/** A piece of a block. */
export type WireDelta = z.infer<typeof Delta>;

/** The events an answer is made of; others say nothing we need. */
export const WireEvent = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('message_start'), message: z.looseObject({ usage }) }),
  z.looseObject({ type: z.literal('content_block_start'), index, content_block: Block }),
  z.looseObject({ type: z.literal('content_block_delta'), index, delta: Delta }),
  z.looseObject({ type: z.literal('content_block_stop'), index }),
  z.looseObject({ type: z.literal('message_delta'), delta: z.looseObject({ stop_reason: text }), usage }),
  z.looseObject({ type: z.literal('message_stop') }),
]);
export type WireEvent = z.infer<typeof WireEvent>;

/** Whether a frame is an event of a kind we know. */
export const isKnown = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'type' in body && KNOWN.has(String(body.type));
const KNOWN = new Set(WireEvent.options.map((option) => option.shape.type.value as string));

/** Whether a frame is an event at all: providers add kinds, which are to be passed over. */
export const isEvent = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'type' in body && typeof body.type === 'string';
