import { anthropicMessagesAdapter } from '../../anthropic-messages/adapter.ts';
import { laterBlocksFirst } from './reorder.ts';
import type { Frame, Surgery, Table } from './transcript.ts';
import { called, said, thought } from './words.ts';

type Event = { type: string; index?: number; delta?: Record<string, unknown>; usage?: unknown };
const eventOf = (frame: Frame): Event => frame.data as Event;
const event = (data: Event & Record<string, unknown>): Frame => ({ event: data.type, data });

const begins = (input: number, cached: number): Frame =>
  event({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: input,
        cache_creation_input_tokens: 30,
        cache_read_input_tokens: cached,
        output_tokens: 1,
      },
    },
  });
const block = (index: number, content_block: object): Frame =>
  event({ type: 'content_block_start', index, content_block });
const delta = (index: number, piece: Record<string, unknown>): Frame =>
  event({ type: 'content_block_delta', index, delta: piece });
const stop = (index: number): Frame => event({ type: 'content_block_stop', index });
const ping = event({ type: 'ping' });
const ends = (stop_reason: string, output: number): Frame =>
  event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } });
const over = event({ type: 'message_stop' });

const isBlock = (frame: Frame): boolean => eventOf(frame).type.startsWith('content_block');

const surgery: Surgery = {
  ending: 1,
  // Its usage and its finish are one frame; what may come early is another count.
  usageFirst: (frames) =>
    frames.flatMap((frame) =>
      eventOf(frame).type === 'message_delta' ? [event({ ...eventOf(frame), delta: {} }), frame] : [frame],
    ),
  outOfOrder: (frames) => laterBlocksFirst(frames, (frame) => (isBlock(frame) ? eventOf(frame).index : undefined)),
  finishedBy: (frames, reason) =>
    frames.map((frame) =>
      eventOf(frame).type === 'message_delta' ? event({ ...eventOf(frame), delta: { stop_reason: reason } }) : frame,
    ),
  error: {
    frame: event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as Event),
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    code: 'SERVER',
    message: 'Overloaded (overloaded_error)',
  },
};

const refusal = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_b' });

/** The Messages API: blocks by index, thinking with signatures, arguments in pieces of JSON. */
export const anthropic: Table = {
  dialect: 'anthropic-messages',
  path: '/v1/messages',
  adapter: (origin) =>
    anthropicMessagesAdapter({
      provider: 'p',
      name: 'P',
      baseUrl: origin,
      apiKey: { reveal: () => 'sk-table' },
      models: [],
      streamIdleTimeoutMs: 60_000,
      streamSilenceLimitMs: 60_000,
    }),
  surgery,
  transcripts: [
    {
      name: 'thinks, also in secret, speaks and asks for two tools',
      frames: [
        begins(20, 100),
        block(0, { type: 'thinking', thinking: '', signature: '' }),
        ping,
        delta(0, { type: 'thinking_delta', thinking: 'Beide 北' }),
        delta(0, { type: 'thinking_delta', thinking: '京 🙂' }),
        delta(0, { type: 'signature_delta', signature: 'EqQB' }),
        delta(0, { type: 'signature_delta', signature: '==' }),
        stop(0),
        block(1, { type: 'redacted_thinking', data: 'hidden-1' }),
        stop(1),
        block(2, { type: 'text', text: '' }),
        delta(2, { type: 'text_delta', text: 'Ich ' }),
        delta(2, { type: 'text_delta', text: 'lese.' }),
        stop(2),
        block(3, { type: 'tool_use', id: 'toolu_a', name: 'read', input: {} }),
        delta(3, { type: 'input_json_delta', partial_json: '' }),
        delta(3, { type: 'input_json_delta', partial_json: '{"path": "ä' }),
        delta(3, { type: 'input_json_delta', partial_json: '.txt"}' }),
        stop(3),
        block(4, { type: 'tool_use', id: 'toolu_b', name: 'list_agents', input: {} }),
        stop(4),
        ends('tool_use', 45),
        over,
      ],
      outcome: {
        content: [
          thought('Beide 北京 🙂'),
          thought(''),
          said('Ich lese.'),
          called('toolu_a', 'read', '{"path": "ä.txt"}'),
          called('toolu_b', 'list_agents', ''),
        ],
        finish: { kind: 'tool-calls' },
        usage: { inputTokens: 20, outputTokens: 45, cacheReadTokens: 100, cacheWriteTokens: 30 },
        replayState: {
          kind: 'anthropic-messages',
          version: 1,
          blocks: [{ signature: 'EqQB==' }, { redacted: 'hidden-1' }, null, null, null],
        },
      },
    },
    {
      name: 'answers, with events and blocks nobody knows yet',
      frames: [
        begins(5, 0),
        event({ type: 'content_moon', index: 0 }),
        block(0, { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }),
        delta(0, { type: 'input_json_delta', partial_json: '{}' }),
        stop(0),
        block(1, { type: 'text', text: 'Ja' }),
        delta(1, { type: 'citations_delta', citation: {} }),
        delta(1, { type: 'text_delta', text: ' ✓' }),
        stop(1),
        ends('end_turn', 4),
        over,
      ],
      outcome: {
        content: [said('Ja ✓')],
        finish: { kind: 'stop' },
        usage: { inputTokens: 5, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 30 },
      },
    },
  ],
  refusals: [
    {
      status: 401,
      body: refusal('authentication_error', 'invalid x-api-key sk-table'),
      failure: { code: 'AUTH', message: 'invalid x-api-key [secret] (HTTP 401, authentication_error)' },
    },
    {
      status: 400,
      headers: { 'request-id': 'req_b' },
      body: refusal('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
      failure: {
        code: 'CONTEXT_WINDOW_EXCEEDED',
        message: 'prompt is too long: 208310 tokens > 200000 maximum (HTTP 400, invalid_request_error)',
        requestId: 'req_b',
      },
    },
    {
      status: 400,
      body: refusal('invalid_request_error', 'Your credit balance is too low to access the API.'),
      failure: {
        code: 'QUOTA',
        message: 'Your credit balance is too low to access the API. (HTTP 400, invalid_request_error)',
      },
    },
    {
      status: 429,
      headers: { 'retry-after': '7' },
      body: refusal('rate_limit_error', 'This request would exceed your rate limit of 50 requests per minute'),
      failure: {
        code: 'RATE_LIMIT',
        message: 'This request would exceed your rate limit of 50 requests per minute (HTTP 429, rate_limit_error)',
        providerRetryAfterMs: 7000,
      },
    },
    {
      status: 413,
      body: refusal('request_too_large', 'Request exceeds the maximum size'),
      failure: { code: 'INVALID_REQUEST', message: 'Request exceeds the maximum size (HTTP 413, request_too_large)' },
    },
    {
      status: 529,
      body: refusal('overloaded_error', 'Overloaded'),
      failure: { code: 'SERVER', message: 'Overloaded (HTTP 529, overloaded_error)' },
    },
  ],
};
