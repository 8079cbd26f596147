import OpenAI from 'openai';
import type { EndpointConfig } from './endpoint-config.ts';
import { clientOptions, withOwnHeaders } from './transport.ts';

/** The client of one route that speaks a protocol of OpenAI's; keys come with each call. */
export function openAiClient(config: EndpointConfig): OpenAI {
  const client = new OpenAI({
    ...clientOptions(config),
    apiKey: 'none',
    // Null keeps the client from looking these up in the environment and sending them to whichever provider.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
  });
  return withOwnHeaders(client, config);
}

/** What a call says of its key; null takes away what the client would send by itself. */
export function bearer(config: EndpointConfig, key: string | undefined): { authorization?: string | null } {
  if (key) return { authorization: `Bearer ${key}` };
  const own = Object.keys(config.headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
  return own ? {} : { authorization: null };
}
