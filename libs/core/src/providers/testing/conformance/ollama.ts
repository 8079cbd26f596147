import { chatTable, DONE, writer } from './chat.ts';
import { called, said, thought } from './words.ts';

const { piece, counted } = writer({
  id: 'chatcmpl-42',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'qwen3',
  system_fingerprint: 'fp_ollama',
});
const assistant = { role: 'assistant', content: '' };
const whole = (index: number, id: string, name: string, args: string) => ({
  ...assistant,
  tool_calls: [{ id, index, type: 'function', function: { name, arguments: args } }],
});

/** Ollama: says its role in every frame, sends calls whole, and its older versions counted each as the first. */
export const ollama = chatTable(
  'ollama',
  [
    {
      name: 'thinks and asks for two tools',
      frames: [
        piece({ ...assistant, reasoning: 'Erst ' }),
        piece({ ...assistant, reasoning: 'lesen…' }),
        piece(whole(0, 'call_a', 'read', '{"path":"a"}')),
        piece(whole(1, 'call_b', 'read', '{"path":"b"}')),
        piece(assistant, 'tool_calls'),
        counted({ prompt_tokens: 70, completion_tokens: 25, total_tokens: 95 }),
        DONE,
      ],
      outcome: {
        content: [
          thought('Erst lesen…'),
          called('call_a', 'read', '{"path":"a"}'),
          called('call_b', 'read', '{"path":"b"}'),
        ],
        finish: { kind: 'tool-calls' },
        usage: { inputTokens: 70, outputTokens: 25 },
      },
    },
    {
      name: 'counts no tokens, all calls as the first, and says stop',
      frames: [
        piece({ ...assistant, content: 'Ich lese 🙂' }),
        piece(whole(0, 'call_a', 'read', '{"path":"a"}')),
        piece(whole(0, 'call_b', 'list', '{}')),
        piece(assistant, 'stop'),
        DONE,
      ],
      outcome: {
        content: [said('Ich lese 🙂'), called('call_a', 'read', '{"path":"a"}'), called('call_b', 'list', '{}')],
        finish: { kind: 'tool-calls' },
      },
    },
  ],
  [
    {
      status: 404,
      body: { error: { message: "model 'x' not found", type: 'not_found_error', param: null, code: null } },
      failure: { code: 'HTTP_404', message: "model 'x' not found (HTTP 404, not_found_error)" },
    },
    {
      status: 400,
      body: { error: { message: 'model x does not support tools', type: 'api_error', param: null, code: null } },
      failure: {
        code: 'INVALID_REQUEST',
        message: 'model x does not support tools (HTTP 400, api_error)',
      },
    },
    {
      status: 500,
      body: { error: { message: 'llama runner process has terminated', type: 'api_error', param: null, code: null } },
      failure: { code: 'SERVER', message: 'llama runner process has terminated (HTTP 500, api_error)' },
    },
  ],
);
