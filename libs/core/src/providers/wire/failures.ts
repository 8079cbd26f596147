import { LlmError } from '../../domain/index.ts';
import type { LlmFailureCode } from '../../domain/index.ts';
import { errorOf } from './provider-error.ts';
import type { ProviderError } from './provider-error.ts';
import { retryAfterMs } from './retry-after.ts';

const MESSAGE_LIMIT = 1000;
/** What is looked at of a body to show some of it: looking for tags takes the square of it. */
const PLAIN_LIMIT = 8_192;
const QUOTA =
  /quota|insufficient[_ ](balance|funds|credits?)|credit balance|balance (is )?(too low|not enough)|billing/i;
/** A quota that comes back by itself is a rate limit, whatever it is called. */
const PER_TIME = /per[ _-]?(second|minute|hour)|\b[rt]pm\b/i;
const OVERFLOW =
  /context[_ ](length|window|size|limit)|maximum context|prompt is too long|input is too long|too many (input )?tokens|reduce the length|exceeds? the (maximum|model'?s?).{0,40}(length|tokens)|longer than the (maximum )?model/i;

/** The failure of an answer that was not 2xx, from its status, headers and body. */
export function httpFailure(input: { status: number; headers: Headers; body: string; key?: string }): LlmError {
  const error = errorOf(parseBody(withoutKey(input.body, input.key)));
  const message = error.message || 'no body';
  return failure({ ...input, error: { ...error, message } });
}

/** The failure of an error that arrived with status 200, in a frame or as the body. */
export function streamedFailure(input: { error: ProviderError; headers: Headers; key?: string }): LlmError {
  return failure({ ...input, status: input.error.status });
}

/** The failure of an answer that is no answer of this protocol, such as a login page. */
export function notTheProtocol(input: { what: string; body: string; headers: Headers; key?: string }): LlmError {
  const message = `${input.what}: ${plainText(withoutKey(input.body, input.key)) || 'nothing'}`;
  return new LlmError({ code: 'MALFORMED_RESPONSE', message: clean(message, input.key), ...requestId(input.headers) });
}

/** An answer cut to what a person can read: no tags, no long runs of space. */
export function plainText(body: string): string {
  return body
    .slice(0, PLAIN_LIMIT)
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}

function failure(input: {
  error: ProviderError;
  status: number | undefined;
  headers: Headers;
  key?: string;
}): LlmError {
  const { error, status } = input;
  const facts = [status && `HTTP ${status}`, error.code ?? error.type].filter(Boolean).join(', ');
  const wait = retryAfterMs(input.headers, Date.now());
  return new LlmError({
    code: classify(error, status),
    message: clean(facts ? `${error.message} (${facts})` : error.message, input.key),
    ...(status !== undefined && { status }),
    ...(wait !== undefined && { providerRetryAfterMs: wait }),
    ...requestId(input.headers),
  });
}

function classify(error: ProviderError, status: number | undefined): LlmFailureCode {
  const words = [error.code, error.type, error.message].join(' ');
  if (status === 401 || status === 403) return 'AUTH';
  if (status === 402 || (QUOTA.test(words) && !PER_TIME.test(words))) return 'QUOTA';
  if (status === 429) return 'RATE_LIMIT';
  if (OVERFLOW.test(words)) return 'CONTEXT_WINDOW_EXCEEDED';
  if (status === undefined) return classifyByName(`${error.code} ${error.type}`);
  if (status === 400 || status === 413) return 'INVALID_REQUEST';
  return status >= 500 ? 'SERVER' : `HTTP_${status}`;
}

function classifyByName(name: string): LlmFailureCode {
  if (/rate_?limit|too_?many_?requests|RESOURCE_EXHAUSTED/i.test(name)) return 'RATE_LIMIT';
  if (/authentication|api_?key|permission|unauthori/i.test(name)) return 'AUTH';
  if (/invalid_?(request|argument|prompt)|bad_?request|request_too_large/i.test(name)) return 'INVALID_REQUEST';
  if (/server_?error|api_?error|internal|overloaded|unavailable/i.test(name)) return 'SERVER';
  return 'UNKNOWN';
}

function requestId(headers: Headers): { requestId?: string } {
  const id = headers.get('x-request-id') ?? headers.get('x-deepseek-request-id') ?? headers.get('request-id');
  return id ? { requestId: id } : {};
}

/** What is kept of a message. */
const clean = (message: string, key: string | undefined): string =>
  withoutKey(message, key).slice(0, MESSAGE_LIMIT).toWellFormed();

/** Providers echo keys back. Goes before every cut, which would leave a part that is not known for one. */
const withoutKey = (text: string, key: string | undefined): string => (key ? text.replaceAll(key, '[secret]') : text);

function parseBody(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    return parsed ?? '';
  } catch {
    return plainText(body);
  }
}
