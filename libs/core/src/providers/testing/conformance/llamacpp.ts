import { chatTable, DONE, goesOn, opens, writer } from './chat.ts';
import { called, said, thought } from './words.ts';

const { piece, counted } = writer({
  created: 1_764_000_000,
  id: 'chatcmpl-l',
  model: 'local.gguf',
  system_fingerprint: 'b7000-abc',
  object: 'chat.completion.chunk',
});
const timings = { cache_n: 200, prompt_n: 15, prompt_ms: 30.1, predicted_n: 9, predicted_ms: 120.5 };

/** llama.cpp: starts with content null, measures every answer, and does not always give its calls ids. */
export const llamacpp = chatTable(
  'llamacpp',
  [
    {
      name: 'thinks and asks for two tools, the second without an id',
      frames: [
        piece({ role: 'assistant', content: null }),
        piece({ reasoning_content: 'öffnen' }),
        piece(opens(0, 'Vk3', 'read', '{')),
        piece(goesOn(0, '"path":"a"}')),
        piece({ tool_calls: [{ index: 1, type: 'function', function: { name: 'glob', arguments: '{}' } }] }),
        piece({}, 'tool_calls'),
        counted(
          {
            completion_tokens: 9,
            prompt_tokens: 215,
            total_tokens: 224,
            prompt_tokens_details: { cached_tokens: 200 },
          },
          { timings },
        ),
        DONE,
      ],
      outcome: {
        content: [thought('öffnen'), called('Vk3', 'read', '{"path":"a"}'), called('call-2', 'glob', '{}')],
        finish: { kind: 'tool-calls' },
        usage: { inputTokens: 15, outputTokens: 9, cacheReadTokens: 200 },
      },
    },
    {
      name: 'counts nothing but its timings',
      frames: [
        piece({ role: 'assistant', content: null }),
        piece({ content: 'ja ✓' }),
        piece({}, 'stop', { timings }),
        DONE,
      ],
      outcome: {
        content: [said('ja ✓')],
        finish: { kind: 'stop' },
        usage: { inputTokens: 15, outputTokens: 9, cacheReadTokens: 200 },
      },
    },
  ],
  [
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'the request exceeds the available context size. try increasing the context size',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9000,
          n_ctx: 4096,
        },
      },
      failure: {
        code: 'CONTEXT_WINDOW_EXCEEDED',
        message:
          'the request exceeds the available context size. try increasing the context size (HTTP 400, exceed_context_size_error)',
      },
    },
    {
      status: 503,
      body: { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
      failure: { code: 'SERVER', message: 'Loading model (HTTP 503, unavailable_error)' },
    },
    {
      status: 401,
      body: { error: { code: 401, message: 'Invalid API Key', type: 'authentication_error' } },
      failure: { code: 'AUTH', message: 'Invalid API Key (HTTP 401, authentication_error)' },
    },
  ],
);
