import { signDelivery } from './sign-delivery.ts';

export interface PostInput {
  url: string;
  id: string;
  body: string;
  secret: string;
  timeoutMs: number;
  maxAnswerBytes: number;
  signal: AbortSignal;
  /** Takes the place of the runtime's, where addresses are checked as they are dialled. */
  fetch?: typeof fetch;
}

/** What became of a request; `why` reads on from who was asked, and holds no secret. */
export type Posted = { kind: 'answered'; status: number; body: string } | { kind: 'failed'; why: string };

/** Sends a signed body and reads the answer, within its limits and without following a redirect. Never throws. */
export async function postSigned(input: PostInput): Promise<Posted> {
  const { url, id, body, secret, timeoutMs, maxAnswerBytes, signal } = input;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await (input.fetch ?? fetch)(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'everturn',
        ...signDelivery({ id, now: Date.now(), body, secret }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    });
    const text = await readBounded(response, maxAnswerBytes);
    if (text === undefined) return { kind: 'failed', why: `answered more than ${maxAnswerBytes} bytes` };
    if (response.status >= 300 && response.status < 400)
      return { kind: 'failed', why: `answered ${response.status}; redirects are not followed` };
    return { kind: 'answered', status: response.status, body: text };
  } catch (error) {
    if (late.aborted) return { kind: 'failed', why: `did not answer within ${timeoutMs} ms` };
    if (signal.aborted) return { kind: 'failed', why: 'was not waited for' };
    return { kind: 'failed', why: `could not be asked: ${reasonOf(error)}` };
  }
}

async function readBounded({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A failed fetch says nothing itself; its causes do. */
function reasonOf(error: unknown): string {
  const { message, cause, code } = error as { message?: string; cause?: unknown; code?: string };
  if (cause !== undefined) return reasonOf(cause);
  return code ?? message ?? String(error);
}
