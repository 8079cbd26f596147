import { chatTable, DONE, goesOn, opens, writer } from './chat.ts';
import { called, said } from './words.ts';

const { piece, counted } = writer({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'gpt-x',
  service_tier: 'default',
  system_fingerprint: null,
  usage: null,
  obfuscation: 'kd82',
});

/** OpenAI: counts in a frame of its own, names the model's refusals, may name a call's pieces only by index. */
export const openai = chatTable(
  'openai',
  [
    {
      name: 'asks for two tools at once',
      frames: [
        piece({ role: 'assistant', content: null, refusal: null }),
        piece(opens(0, 'call_a', 'read')),
        piece(goesOn(0, '{"path":"')),
        piece(goesOn(0, 'größe.txt"}')),
        piece(opens(1, 'call_b', 'glob')),
        piece(goesOn(1, '{"pattern":"*"}')),
        piece({}, 'tool_calls'),
        counted({
          prompt_tokens: 90,
          completion_tokens: 30,
          total_tokens: 120,
          prompt_tokens_details: { cached_tokens: 80, audio_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 12, audio_tokens: 0 },
        }),
        DONE,
      ],
      outcome: {
        content: [called('call_a', 'read', '{"path":"größe.txt"}'), called('call_b', 'glob', '{"pattern":"*"}')],
        finish: { kind: 'tool-calls' },
        usage: { inputTokens: 10, outputTokens: 30, cacheReadTokens: 80, reasoningTokens: 12 },
      },
    },
    {
      name: 'declines in words of its own',
      frames: [
        piece({ role: 'assistant', content: '', refusal: null }),
        piece({ refusal: 'I cannot ' }),
        piece({ refusal: 'help.' }),
        piece({}, 'stop'),
        DONE,
      ],
      outcome: { content: [said('I cannot help.')], finish: { kind: 'stop' } },
    },
  ],
  [
    {
      status: 401,
      body: {
        error: {
          message: 'Incorrect API key provided: sk-table. You can find yours online.',
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_api_key',
        },
      },
      failure: {
        code: 'AUTH',
        message: 'Incorrect API key provided: [secret]. You can find yours online. (HTTP 401, invalid_api_key)',
      },
    },
    {
      status: 429,
      body: {
        error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' },
      },
      failure: { code: 'QUOTA', message: 'You exceeded your current quota (HTTP 429, insufficient_quota)' },
    },
    {
      status: 429,
      headers: { 'retry-after-ms': '250', 'x-request-id': 'req_1' },
      body: { error: { message: 'Rate limit reached for gpt-x', type: 'tokens', code: 'rate_limit_exceeded' } },
      failure: {
        code: 'RATE_LIMIT',
        message: 'Rate limit reached for gpt-x (HTTP 429, rate_limit_exceeded)',
        providerRetryAfterMs: 250,
        requestId: 'req_1',
      },
    },
    {
      status: 404,
      body: { error: { message: 'The model does not exist', type: 'invalid_request_error', code: 'model_not_found' } },
      failure: { code: 'HTTP_404', message: 'The model does not exist (HTTP 404, model_not_found)' },
    },
    { status: 500, body: '', failure: { code: 'SERVER', message: 'no body (HTTP 500)' } },
  ],
);
