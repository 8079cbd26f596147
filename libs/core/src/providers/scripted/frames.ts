import type { RequestView } from './request-view.ts';
import type { ScriptAnswer } from './script.ts';

/** The deltas of an answer, in the order in which they are streamed. */
export function deltasOf(answer: ScriptAnswer): object[] {
  const calls = answer.toolCalls ?? [];
  return [
    ...pieces(answer.reasoning).map((piece) => ({ reasoning_content: piece })),
    ...pieces(answer.text).map((piece) => ({ content: piece })),
    ...calls.flatMap((call, index) => {
      const [first = '', ...rest] = halves(argumentsOf(call.arguments));
      const head = { index, id: call.id, type: 'function', function: { name: call.name, arguments: first } };
      return [
        { tool_calls: [head] },
        ...rest.map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] })),
      ];
    }),
  ];
}

/** Gives each call an id that no other call of the conversation has. */
export function withCallIds(answer: ScriptAnswer, request: RequestView): ScriptAnswer {
  if (!answer.toolCalls) return answer;
  const before = request.messages.filter((message) => message.role === 'assistant').length;
  const toolCalls = answer.toolCalls.map((call, n) => ({ ...call, id: call.id ?? `call_${before + 1}_${n + 1}` }));
  return { ...answer, toolCalls };
}

/** The finish reason, or nothing where the script wants none. */
export function finishOf(answer: ScriptAnswer): string | undefined {
  if (answer.finish === 'none') return undefined;
  return answer.finish ?? (answer.toolCalls?.length ? 'tool_calls' : 'stop');
}

/** The script's own counts, or an estimate of four characters a token. */
export function usageOf(answer: ScriptAnswer, request: RequestView): object | undefined {
  if (answer.usage === 'none') return undefined;
  if (answer.usage) return answer.usage;
  const output = JSON.stringify([answer.reasoning, answer.text, answer.toolCalls]).length;
  const prompt_tokens = Math.ceil(JSON.stringify(request.messages).length / 4);
  const completion_tokens = Math.ceil(output / 4);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** The answer in one piece, for requests that do not stream. */
export function wholeMessage(answer: ScriptAnswer): object {
  const text = typeof answer.text === 'object' ? answer.text.join('') : (answer.text ?? '');
  return {
    role: 'assistant',
    content: text,
    ...(answer.reasoning && { reasoning_content: answer.reasoning }),
    ...(answer.toolCalls?.length && {
      tool_calls: answer.toolCalls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: argumentsOf(call.arguments) },
      })),
    }),
  };
}

function pieces(text: string | string[] | undefined): string[] {
  if (text === undefined) return [];
  return typeof text === 'string' ? (text.match(/(\S+\s*){1,3}|\s+/g) ?? []) : text;
}

function argumentsOf(value: string | object): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return text.length < 2 ? [text] : [text.slice(0, middle), text.slice(middle)];
}
