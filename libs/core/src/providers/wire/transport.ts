import { Agent, EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import type { Dispatcher } from 'undici';
import type { EndpointConfig } from './endpoint-config.ts';
import { httpFailure } from './failures.ts';

const ERROR_BODY_LIMIT = 64 * 1024;
const PRODUCT = 'everturn/0.1.0';
/** The longest a client can be told to wait: stalls are judged by our own watchdog. */
const NO_TIMEOUT_MS = 2_147_483_647;
/** Undici's fetch, whose types are twins of Node's own. */
const send = undiciFetch as unknown as (
  url: string | URL | Request,
  init: Omit<RequestInit, 'dispatcher'> & { dispatcher: Dispatcher },
) => Promise<Response>;
const LOOPBACK = 'localhost,127.0.0.1,::1';

/** What every provider's client is given: one call is one attempt, and an answer that is not 2xx is an `LlmError`. */
export function clientOptions(config: EndpointConfig) {
  const dispatcher = dispatcherFor(config);
  const classifyingFetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    // Keys in headers of their own would go along to wherever an answer points, and so would the conversation.
    const response = await send(url, { ...init, dispatcher, redirect: 'manual' });
    if (response.ok) return response;
    const key = sentKey(new Headers(init?.headers));
    const body = await boundedText(response, ERROR_BODY_LIMIT);
    const { status, headers } = response;
    throw httpFailure({ status, headers, body, ...(key && { key }) });
  };
  return {
    baseURL: config.baseUrl,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off' as const,
    fetch: classifyingFetch,
    defaultHeaders: headersOf(config),
  };
}

/**
 * Both clients add headers that a variable of the environment names (`…_CUSTOM_HEADERS`), whatever they are given. What
 * a route sends is in its configuration alone.
 */
export function withOwnHeaders<C extends object>(client: C, config: EndpointConfig): C {
  const { _options: options } = client as unknown as { _options: { defaultHeaders: Record<string, string> } };
  options.defaultHeaders = headersOf(config);
  return client;
}

const headersOf = ({ headers }: EndpointConfig): Record<string, string> => ({ 'user-agent': PRODUCT, ...headers });

/** The key a request carried, so that no error repeats it. */
function sentKey(headers: Headers): string | undefined {
  return headers.get('x-api-key') ?? headers.get('authorization')?.replace(/^Bearer /, '') ?? undefined;
}

/** Undici's own five-minute limits are off: they would cut what our watchdog still allows. */
function dispatcherFor(config: EndpointConfig): Dispatcher {
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  if (!config.proxy) return new Agent(limits);
  return new EnvHttpProxyAgent({
    ...limits,
    httpProxy: config.proxy.http ?? '',
    httpsProxy: config.proxy.https ?? '',
    noProxy: [config.proxy.except, LOOPBACK].filter(Boolean).join(','),
  });
}

/** At most so many bytes of a body as text; what broke off while it was read is what there is. */
async function boundedText(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      bytes += chunk.byteLength;
      if (bytes >= limit) break;
    }
  } catch {
    // A cut error body still tells the status and what came of it.
  }
  return text;
}
