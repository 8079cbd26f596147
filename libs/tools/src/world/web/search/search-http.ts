import { fetch, type Dispatcher } from 'undici';
import type { z } from 'zod';
import { startDeadline } from '../../../kit/deadline.ts';
import { MAX_TIMER_MS, ToolError } from '../../../kit/index.ts';
import { readBounded } from '../read-bounded.ts';
import { webFailure } from '../web-failure.ts';

const MAX_ANSWER_BYTES = 4_000_000;
const MAX_SAID_CHARACTERS = 300;

export interface AskProviderInput<T> {
  /** Who is asked, for people. */
  provider: string;
  url: URL;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
  /** What must not stand in an error, whoever repeats it. */
  credential?: string;
  answer: z.ZodType<T>;
  signal: AbortSignal;
  dispatcher?: Dispatcher | undefined;
}

/** One JSON request to a search provider. Redirects are failures, so that a credential reaches nobody else. */
export async function askProvider<T>(input: AskProviderInput<T>): Promise<T> {
  const { provider, credential, answer } = input;
  const deadline = startDeadline(input.signal, MAX_TIMER_MS); // the tool's own budget is what ends it
  try {
    const { status, text } = await send(input);
    if (status < 200 || status > 299) throw failed(provider, `it answers ${status}${said(text)}`);
    const parsed = answer.safeParse(parseJson(provider, text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw failed(provider, `its answer is not understood (${issue?.path.join('.')}: ${issue?.message})`);
  } catch (error) {
    const failure = webFailure({ error, what: `the answer of ${provider}`, deadline, timeoutMs: MAX_TIMER_MS });
    throw credential && failure.message.includes(credential)
      ? new ToolError(failure.code, failure.message.replaceAll(credential, '[secret]'))
      : failure;
  } finally {
    deadline.stop();
  }
}

async function send<T>({ url, method, headers, body, signal, dispatcher }: AskProviderInput<T>) {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(dispatcher && { dispatcher }),
  });
  const { bytes } = await readBounded(response.body, MAX_ANSWER_BYTES);
  return { status: response.status, text: new TextDecoder().decode(bytes) };
}

function parseJson(provider: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failed(provider, `its answer is not JSON${said(text)}`);
  }
}

/** What a search provider did wrong. */
export const failed = (provider: string, why: string): ToolError =>
  new ToolError('WEB_PROVIDER_ERROR', `the web search provider ${provider} failed: ${why}`);

function said(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SAID_CHARACTERS);
  return line === '' ? '' : `: ${line}`;
}
