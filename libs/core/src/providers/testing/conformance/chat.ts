import { openAiChatAdapter } from '../../openai-chat/adapter.ts';
import type { ChatDialect } from '../../openai-chat/config.ts';
import { laterBlocksFirst } from './reorder.ts';
import type { Frame, Refusal, Surgery, Table, Transcript } from './transcript.ts';

type Call = { index?: number; [member: string]: unknown };
type Choice = { delta?: { tool_calls?: Call[] }; finish_reason?: string | null; [member: string]: unknown };
type Body = { choices?: Choice[]; usage?: unknown; timings?: unknown; [member: string]: unknown };

export const DONE: Frame = { data: '[DONE]' };

const bodyOf = (frame: Frame): Body => (typeof frame.data === 'string' ? {} : (frame.data as Body));
const finishes = (frame: Frame): boolean => Boolean(bodyOf(frame).choices?.some((choice) => choice.finish_reason));
const callIndex = (frame: Frame): number | undefined => bodyOf(frame).choices?.[0]?.delta?.tool_calls?.[0]?.index;

/** Faults in chat completions, the same for every dialect. */
const surgery: Surgery = {
  ending: 1,
  usageFirst(frames) {
    const usage = frames.filter((frame) => bodyOf(frame).usage && !finishes(frame));
    const rest = frames.filter((frame) => !usage.includes(frame));
    const at = rest.findIndex(finishes);
    return [...rest.slice(0, at), ...usage, ...rest.slice(at)];
  },
  outOfOrder: (frames) => laterBlocksFirst(frames, callIndex),
  finishedBy: (frames, reason) =>
    frames.map((frame) => {
      if (!finishes(frame)) return frame;
      const body = bodyOf(frame);
      return { data: { ...body, choices: body.choices?.map((choice) => ({ ...choice, finish_reason: reason })) } };
    }),
  error: {
    frame: { data: { error: { message: 'quota gone', code: 'insufficient_quota' } } },
    body: { error: { message: 'quota gone', code: 'insufficient_quota' } },
    code: 'QUOTA',
    message: 'quota gone (insufficient_quota)',
  },
};

/** The frames of one dialect: `around` is what it writes on each besides. */
export function writer(around: object) {
  return {
    piece: (delta: object, finish_reason: string | null = null, more: object = {}): Frame => ({
      data: { ...around, choices: [{ index: 0, delta, finish_reason }], ...more },
    }),
    counted: (usage: object, more: object = {}): Frame => ({ data: { ...around, choices: [], usage, ...more } }),
  };
}

/** A call's first piece, and one that goes on. */
export const opens = (index: number, id: string, name: string, args = ''): object => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
});
export const goesOn = (index: number, args: string): object => ({
  tool_calls: [{ index, function: { arguments: args } }],
});

/** The table of one dialect. */
export function chatTable(dialect: ChatDialect, transcripts: Transcript[], refusals: Refusal[]): Table {
  return {
    dialect,
    path: '/v1/chat/completions',
    adapter: (origin) =>
      openAiChatAdapter({
        provider: 'p',
        name: 'P',
        dialect,
        baseUrl: `${origin}/v1`,
        apiKey: { reveal: () => 'sk-table' },
        models: [],
        streamIdleTimeoutMs: 60_000,
        streamSilenceLimitMs: 60_000,
      }),
    transcripts,
    refusals,
    surgery,
  };
}
