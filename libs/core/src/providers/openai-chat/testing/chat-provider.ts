import type { ServerResponse } from 'node:http';
import type { GenerateOptions, StreamChunk } from '../../../domain/index.ts';
import { checkGrammar } from '../../grammar.ts';
import { openAiChatAdapter } from '../adapter.ts';
import type { OpenAiChatConfig } from '../config.ts';

export { collect, rawProvider } from '../../wire/testing/raw-provider.ts';

/** Writes frames as an event stream; a string goes out as it is, anything else as JSON. */
export const frames =
  (...list: unknown[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const frame of list) response.write(`data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`);
    response.end();
  };

/** A frame with one choice. */
export const choice = (delta: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
});

/** A frame with one piece of a tool call; `undefined` members are absent. */
export const piece = (index: number | undefined, id?: string, name?: string, args?: string): object =>
  choice({ tool_calls: [{ index, id, function: { name, arguments: args } }] });

/** A configuration of the adapter for a test's server. */
export const configFor = (url: string, more: Partial<OpenAiChatConfig> = {}): OpenAiChatConfig => ({
  provider: 'p',
  name: 'P',
  dialect: 'openai',
  baseUrl: url,
  models: [],
  streamIdleTimeoutMs: 60_000,
  streamSilenceLimitMs: 60_000,
  ...more,
});

/** A request that says hello. */
export const hello: GenerateOptions = {
  provider: 'p',
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
};

/** The chunks of one call, checked for their order. */
export function chunksOf(config: OpenAiChatConfig, options: GenerateOptions = hello): AsyncGenerator<StreamChunk> {
  return checkGrammar(openAiChatAdapter(config).stream(options));
}
