import type { ClientLLM } from '@browserbasehq/stagehand';
import type { JsonObject } from '@everturn/core/domain';
import type { AskModel } from '../../kit/index.ts';

type Request = Parameters<ClientLLM['generate']>[0];
type Answer = Awaited<ReturnType<ClientLLM['generate']>>;

const NO_USAGE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
const ANY_TEXT: JsonObject = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

/** Stagehand's questions, put to whatever model the operation that runs now brought along. */
export function clientModel(current: () => { ask: AskModel; signal: AbortSignal } | undefined): ClientLLM {
  return {
    generate: async (request: Request): Promise<Answer> => {
      const operation = current();
      if (!operation) throw new Error('no operation is running');
      const { messages, systemPrompt, responseFormat } = request;
      const structured = responseFormat?.type === 'json_schema';
      const value = await operation.ask({
        ...(systemPrompt !== undefined && { system: systemPrompt }),
        prompt: messages.map(({ content }) => textOf(content)).join('\n\n'),
        schema: structured ? (responseFormat.schema as JsonObject) : ANY_TEXT,
        signal: operation.signal,
      });
      const said = structured ? JSON.stringify(value) : (value as { text: string }).text;
      const answer = { role: 'assistant', content: { type: 'text', text: said }, usage: NO_USAGE } as const;
      if (!structured) return { ...answer, outputFormat: 'text' };
      return {
        ...answer,
        outputFormat: 'json_schema',
        structuredContent: value as Extract<Answer, { outputFormat: 'json_schema' }>['structuredContent'],
      };
    },
  };
}

function textOf(content: Request['messages'][number]['content']): string {
  return [content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}
