import { z } from 'zod';
import type { RequestView } from './request-view.ts';

/** A tool call a script makes; `arguments` as text goes out as it is, however malformed. */
const ScriptedCall = z.strictObject({
  name: z.string(),
  arguments: z.union([z.record(z.string(), z.json()), z.string()]),
  id: z.string().exactOptional(),
});

const count = z.int().nonnegative();

/** What goes wrong on purpose; deltas already sent stay sent. */
export const Fault = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    message: z.string().exactOptional(),
    code: z.string().exactOptional(),
    /** Seconds, or an HTTP date. */
    retryAfter: z.union([z.number(), z.string()]).exactOptional(),
  }),
  z.strictObject({ kind: z.literal('context-overflow') }),
  /** Status 200 and an error object, as a frame. */
  z.strictObject({ kind: z.literal('error-frame'), message: z.string(), code: z.string().exactOptional() }),
  /** Status 200 and a page. */
  z.strictObject({ kind: z.literal('html') }),
  z.strictObject({ kind: z.literal('garbage') }),
  z.strictObject({ kind: z.literal('stall'), afterDeltas: count.default(1) }),
  z.strictObject({
    kind: z.literal('keep-alive-only'),
    afterDeltas: count.default(1),
    everyMs: z.int().positive().default(1000),
  }),
  z.strictObject({ kind: z.literal('cut'), afterDeltas: count.default(1) }),
  /** The stream ends cleanly, but without `[DONE]`. */
  z.strictObject({ kind: z.literal('no-done') }),
  /** One byte a packet. */
  z.strictObject({ kind: z.literal('split-utf8') }),
]);
export type Fault = z.infer<typeof Fault>;

/** One answer of a script. */
export const ScriptAnswer = z.strictObject({
  reasoning: z.string().exactOptional(),
  /** Streamed a few words at a time; a list is streamed item by item. */
  text: z.union([z.string(), z.array(z.string())]).exactOptional(),
  toolCalls: z.array(ScriptedCall).exactOptional(),
  /** Absent = estimated from the size of the text. */
  usage: z.union([z.literal('none'), z.record(z.string(), z.json())]).exactOptional(),
  /** Absent = `tool_calls` or `stop`, as it fits. */
  finish: z.string().exactOptional(),
  chunkDelayMs: z.int().nonnegative().exactOptional(),
  fault: Fault.exactOptional(),
  /** How many requests of the same conversation at the same point meet the fault; absent = each. */
  faultTimes: z.int().positive().exactOptional(),
  /** Waits for this gate: before the answer, or after so many deltas. */
  hold: z.union([z.string(), z.strictObject({ gate: z.string(), afterDeltas: count })]).exactOptional(),
});
export type ScriptAnswer = z.input<typeof ScriptAnswer>;

/** When a rule applies: everything it names must hold. Patterns are regular expressions. */
const Condition = z.strictObject({
  /** The n-th model call since the last user message, from 1. */
  step: z.int().positive().exactOptional(),
  lastUserMatches: z.string().exactOptional(),
  /** The last message is a result of this tool. */
  toolResultOf: z.string().exactOptional(),
  /** One of the last results (of `toolResultOf`, if given) matches. */
  matches: z.string().exactOptional(),
  purpose: z.string().exactOptional(),
});
export type Condition = z.infer<typeof Condition>;

/** An ordered list; the first rule whose condition holds answers. */
export const ScriptRules = z.array(z.strictObject({ when: Condition.exactOptional(), answer: ScriptAnswer })).min(1);
export type ScriptRules = z.input<typeof ScriptRules>;

/** What stands behind a model name: rules, or a function of the request. */
export type Script = ScriptRules | ((request: RequestView) => ScriptAnswer);
