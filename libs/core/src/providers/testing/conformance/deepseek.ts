import { chatTable, DONE, goesOn, opens, writer } from './chat.ts';
import { called, said, thought } from './words.ts';

const { piece } = writer({
  id: '9f1c7c0e',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'deepseek-v4-pro',
  system_fingerprint: 'fp_a',
});
const usage = {
  prompt_tokens: 120,
  completion_tokens: 48,
  total_tokens: 168,
  prompt_tokens_details: { cached_tokens: 64 },
  completion_tokens_details: { reasoning_tokens: 21 },
  prompt_cache_hit_tokens: 64,
  prompt_cache_miss_tokens: 56,
};

/** DeepSeek: thinks by default, counts in the frame that ends, says what its cache held in two ways. */
export const deepseek = chatTable(
  'deepseek',
  [
    {
      name: 'thinks, speaks and asks for two tools',
      frames: [
        piece({ role: 'assistant', content: null, reasoning_content: '' }),
        piece({ content: null, reasoning_content: 'Beide 北' }),
        piece({ content: null, reasoning_content: '京 🙂' }),
        piece({ content: 'Ich ', reasoning_content: null }),
        piece({ content: 'lese.', reasoning_content: null }),
        piece(opens(0, 'call_00_a', 'read')),
        piece(goesOn(0, '{"path":')),
        piece(goesOn(0, '"a.txt"}')),
        piece(opens(1, 'call_01_b', 'list_agents')),
        piece({ content: '', reasoning_content: null }, 'tool_calls', { usage }),
        DONE,
      ],
      outcome: {
        content: [
          thought('Beide 北京 🙂'),
          said('Ich lese.'),
          called('call_00_a', 'read', '{"path":"a.txt"}'),
          called('call_01_b', 'list_agents', ''),
        ],
        finish: { kind: 'tool-calls' },
        usage: { inputTokens: 56, outputTokens: 48, cacheReadTokens: 64, reasoningTokens: 21 },
      },
    },
    {
      name: 'answers without thinking, counted in the old way',
      frames: [
        piece({ role: 'assistant', content: '' }),
        piece({ content: 'Fertig – ✓' }),
        piece({ content: '' }, 'stop', {
          usage: { prompt_tokens: 10, completion_tokens: 4, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 10 },
        }),
        DONE,
      ],
      outcome: {
        content: [said('Fertig – ✓')],
        finish: { kind: 'stop' },
        usage: { inputTokens: 10, outputTokens: 4, cacheReadTokens: 0 },
      },
    },
    {
      name: 'breaks off for want of machines',
      frames: [
        piece({ role: 'assistant', content: 'half' }),
        piece({ content: '' }, 'insufficient_system_resource'),
        DONE,
      ],
      outcome: {
        content: [said('half')],
        finish: {
          kind: 'error',
          failure: { code: 'SERVER', message: 'model stopped: insufficient_system_resource' },
        },
      },
    },
  ],
  [
    {
      status: 402,
      body: {
        error: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' },
      },
      failure: { code: 'QUOTA', message: 'Insufficient Balance (HTTP 402, invalid_request_error)' },
    },
    {
      status: 401,
      body: {
        error: {
          message: 'Authentication Fails (no such user)',
          type: 'authentication_error',
          code: 'invalid_request_error',
        },
      },
      failure: { code: 'AUTH', message: 'Authentication Fails (no such user) (HTTP 401, invalid_request_error)' },
    },
    {
      status: 429,
      headers: { 'retry-after': '3', 'x-deepseek-request-id': 'ds-1' },
      body: { error: { message: 'Rate limit reached', type: 'rate_limit_error', code: null } },
      failure: {
        code: 'RATE_LIMIT',
        message: 'Rate limit reached (HTTP 429, rate_limit_error)',
        providerRetryAfterMs: 3000,
        requestId: 'ds-1',
      },
    },
    {
      status: 400,
      body: {
        error: {
          message: "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
          type: 'invalid_request_error',
          code: 'invalid_request_error',
        },
      },
      failure: {
        code: 'CONTEXT_WINDOW_EXCEEDED',
        message:
          "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens. (HTTP 400, invalid_request_error)",
      },
    },
    {
      status: 503,
      body: { error: { message: 'Server overloaded' } },
      failure: { code: 'SERVER', message: 'Server overloaded (HTTP 503)' },
    },
  ],
);
