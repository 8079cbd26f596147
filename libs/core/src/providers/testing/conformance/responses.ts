import { openAiResponsesAdapter } from '../../openai-responses/adapter.ts';
import { laterBlocksFirst, withLast } from './reorder.ts';
import type { Frame, Surgery, Table } from './transcript.ts';
import { called, said, thought } from './words.ts';

type Event = { type: string; output_index?: number; response?: Record<string, unknown>; [member: string]: unknown };
const eventOf = (frame: Frame): Event => frame.data as Event;

const event = (type: string, more: object = {}): Frame => ({
  event: type,
  data: { type, sequence_number: 1, ...more },
});
const added = (output_index: number, item: object): Frame =>
  event('response.output_item.added', { output_index, item });
const done = (output_index: number, item: object): Frame => event('response.output_item.done', { output_index, item });
const delta = (kind: string, output_index: number, piece: string): Frame =>
  event(`response.${kind}.delta`, { output_index, item_id: 'x', content_index: 0, summary_index: 0, delta: piece });
const part = (output_index: number, summary_index: number): Frame =>
  event('response.reasoning_summary_part.added', {
    output_index,
    summary_index,
    part: { type: 'summary_text', text: '' },
  });
const started = event('response.created', {
  response: { id: 'resp_1', status: 'in_progress', error: null, output: [] },
});
const completed = (usage: object | null): Frame =>
  event('response.completed', {
    response: { id: 'resp_1', status: 'completed', error: null, incomplete_details: null, usage },
  });

const surgery: Surgery = {
  ending: 1,
  // Usage and finish are one event; what comes early is an unfinished count that must not stay.
  usageFirst: (frames) =>
    frames.toSpliced(-1, 0, event('response.in_progress', { response: { usage: { input_tokens: 1 } } })),
  outOfOrder: (frames) => laterBlocksFirst(frames, (frame) => eventOf(frame).output_index),
  finishedBy: (frames, reason) =>
    withLast(frames, (last) =>
      event('response.incomplete', {
        response: { ...eventOf(last).response, status: 'incomplete', incomplete_details: { reason } },
      }),
    ),
  error: {
    frame: event('response.failed', {
      response: { status: 'failed', error: { code: 'server_error', message: 'The model broke' } },
    }),
    body: { error: { code: 'server_error', message: 'The model broke' } },
    code: 'SERVER',
    message: 'The model broke (server_error)',
  },
};

const refusal = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
});

/** The Responses API: items by place in the output, thinking as summaries and sealed, no `[DONE]`. */
export const responses: Table = {
  dialect: 'openai-responses',
  path: '/v1/responses',
  adapter: (origin) =>
    openAiResponsesAdapter({
      provider: 'p',
      name: 'P',
      baseUrl: `${origin}/v1`,
      apiKey: { reveal: () => 'sk-table' },
      models: [],
      streamIdleTimeoutMs: 60_000,
      streamSilenceLimitMs: 60_000,
    }),
  surgery,
  transcripts: [
    {
      name: 'thinks, speaks and asks for two tools',
      frames: [
        started,
        event('response.in_progress', { response: { usage: null } }),
        added(0, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'half' }),
        part(0, 0),
        delta('reasoning_summary_text', 0, 'Erst 北京 🙂'),
        part(0, 1),
        delta('reasoning_summary_text', 0, 'dann b'),
        done(0, {
          type: 'reasoning',
          id: 'rs_1',
          summary: [
            { type: 'summary_text', text: 'Erst 北京 🙂' },
            { type: 'summary_text', text: 'dann b' },
          ],
          encrypted_content: 'gAAA-sealed',
        }),
        added(1, { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] }),
        event('response.content_part.added', {
          output_index: 1,
          content_index: 0,
          part: { type: 'output_text', text: '' },
        }),
        delta('output_text', 1, 'Ich '),
        delta('output_text', 1, 'lese.'),
        event('response.output_text.done', { output_index: 1, text: 'Ich lese.' }),
        done(1, { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Ich lese.' }] }),
        added(2, { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'read', arguments: '' }),
        delta('function_call_arguments', 2, '{"path":'),
        delta('function_call_arguments', 2, '"a"}'),
        done(2, { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'read', arguments: '{"path":"a"}' }),
        added(3, { type: 'function_call', id: 'fc_2', call_id: 'call_b', name: 'list_agents', arguments: '' }),
        done(3, { type: 'function_call', id: 'fc_2', call_id: 'call_b', name: 'list_agents', arguments: '' }),
        completed({
          input_tokens: 130,
          input_tokens_details: { cached_tokens: 100 },
          output_tokens: 50,
          output_tokens_details: { reasoning_tokens: 22 },
          total_tokens: 180,
        }),
      ],
      outcome: {
        content: [
          thought('Erst 北京 🙂\n\ndann b'),
          said('Ich lese.'),
          called('call_a', 'read', '{"path":"a"}'),
          called('call_b', 'list_agents', ''),
        ],
        finish: { kind: 'tool-calls' },
        usage: { inputTokens: 30, outputTokens: 50, cacheReadTokens: 100, reasoningTokens: 22 },
        replayState: {
          kind: 'openai-responses',
          version: 1,
          blocks: [
            { id: 'rs_1', encrypted: 'gAAA-sealed', summary: ['Erst 北京 🙂', 'dann b'] },
            { id: 'msg_1' },
            { id: 'fc_1' },
            { id: 'fc_2' },
          ],
        },
      },
    },
    {
      name: 'tells of its items only when they are done, and counts nothing',
      frames: [
        started,
        done(0, { type: 'web_search_call', id: 'ws_1' }),
        done(1, {
          type: 'message',
          content: [
            { type: 'output_text', text: 'Ja ✓' },
            { type: 'refusal', refusal: '!' },
          ],
        }),
        completed(null),
      ],
      outcome: { content: [said('Ja ✓!')], finish: { kind: 'stop' } },
    },
  ],
  refusals: [
    {
      status: 401,
      body: refusal('Incorrect API key provided: sk-table.', 'invalid_request_error', 'invalid_api_key'),
      failure: { code: 'AUTH', message: 'Incorrect API key provided: [secret]. (HTTP 401, invalid_api_key)' },
    },
    {
      status: 400,
      body: refusal(
        'Your input exceeds the context window of this model.',
        'invalid_request_error',
        'context_length_exceeded',
      ),
      failure: {
        code: 'CONTEXT_WINDOW_EXCEEDED',
        message: 'Your input exceeds the context window of this model. (HTTP 400, context_length_exceeded)',
      },
    },
    {
      status: 429,
      headers: { 'retry-after': '1.5' },
      body: refusal('Rate limit reached', 'requests', 'rate_limit_exceeded'),
      failure: {
        code: 'RATE_LIMIT',
        message: 'Rate limit reached (HTTP 429, rate_limit_exceeded)',
        providerRetryAfterMs: 1500,
      },
    },
    { status: 502, body: 'bad gateway', failure: { code: 'SERVER', message: 'bad gateway (HTTP 502)' } },
  ],
};
