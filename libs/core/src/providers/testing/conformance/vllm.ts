import { chatTable, DONE, goesOn, opens, writer } from './chat.ts';
import { called, said, thought } from './words.ts';

const { piece, counted } = writer({
  id: 'chatcmpl-v',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'qwen',
  prompt_token_ids: null,
});
const usage = { prompt_tokens: 33, total_tokens: 45, completion_tokens: 12, prompt_tokens_details: null };

/** vLLM: thinks in `reasoning` (formerly `reasoning_content`); its errors are objects of several shapes. */
export const vllm = chatTable(
  'vllm',
  [
    {
      name: 'thinks under the new name and asks for two tools',
      frames: [
        piece({ role: 'assistant', content: '' }),
        piece({ reasoning: 'zwei ' }),
        piece({ reasoning: 'Dateien' }),
        piece(opens(0, 'chatcmpl-tool-a', 'read')),
        piece(goesOn(0, '{"path": "ä"}')),
        piece(opens(1, 'chatcmpl-tool-b', 'read')),
        piece(goesOn(1, '{"path": "b"}')),
        piece({ content: '' }, 'tool_calls', {}),
        counted(usage),
        DONE,
      ],
      outcome: {
        content: [
          thought('zwei Dateien'),
          called('chatcmpl-tool-a', 'read', '{"path": "ä"}'),
          called('chatcmpl-tool-b', 'read', '{"path": "b"}'),
        ],
        finish: { kind: 'tool-calls' },
        usage: { inputTokens: 33, outputTokens: 12 },
      },
    },
    {
      name: 'thinks under the old name, and says stop',
      frames: [
        piece({ role: 'assistant', content: '', reasoning_content: null }),
        piece({ reasoning_content: 'hm' }),
        piece({ content: 'Ja 🙂' }),
        piece({ content: '' }, 'stop'),
        counted(usage),
        DONE,
      ],
      outcome: {
        content: [thought('hm'), said('Ja 🙂')],
        finish: { kind: 'stop' },
        usage: { inputTokens: 33, outputTokens: 12 },
      },
    },
  ],
  [
    {
      status: 400,
      body: {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
      failure: {
        code: 'CONTEXT_WINDOW_EXCEEDED',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens. (HTTP 400, BadRequestError)",
      },
    },
    {
      status: 400,
      body: {
        error: {
          message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
          type: 'BadRequestError',
          param: null,
          code: 400,
        },
      },
      failure: {
        code: 'CONTEXT_WINDOW_EXCEEDED',
        message:
          'The decoder prompt (length 5000) is longer than the maximum model length of 4096. (HTTP 400, BadRequestError)',
      },
    },
    {
      status: 404,
      body: { error: { message: 'The model `x` does not exist.', type: 'NotFoundError', param: null, code: 404 } },
      failure: { code: 'HTTP_404', message: 'The model `x` does not exist. (HTTP 404, NotFoundError)' },
    },
    { status: 401, body: { error: 'Unauthorized' }, failure: { code: 'AUTH', message: 'Unauthorized (HTTP 401)' } },
  ],
);
