import { readHookAnswer } from '@everturn/core/domain';
import type { HookAnswer, HookCallInput } from './hook-handler.ts';
import type { HookSettings } from './hook-settings.ts';
import { postSigned } from './post-signed.ts';

export interface HttpHookInput extends HookCallInput {
  hook: HookSettings['http'][number];
}

const MAX_ANSWER_BYTES = 1_048_576;

/**
 * Asks a service what it says of an event. Never throws: an answer that is none counts as a listener that threw, or,
 * where its entry says so, as one that said nothing.
 */
export async function askHttpHook({
  hook,
  event,
  payload,
  session,
  handlerId,
  signal,
}: HttpHookInput): Promise<HookAnswer> {
  const began = performance.now();
  const answered = await postSigned({
    url: hook.url,
    id: `${session}:${handlerId}`,
    body: JSON.stringify(payload),
    secret: hook.secret.reveal(),
    timeoutMs: hook.timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    signal,
  });
  const durationMs = Math.round(performance.now() - began);
  const read = answered.kind === 'answered' ? readJson(answered.status, answered.body) : answered;
  if (read.kind === 'answer')
    return { verdict: readHookAnswer({ dialect: 'http', event, answer: read.answer }), durationMs };
  const said = `the hook at ${new URL(hook.url).host} ${read.why}`;
  const failure = hook.onFailure === 'fail' ? { failure: said } : {};
  return { verdict: { decision: 'pass' }, durationMs, said, ...failure };
}

type Read = { kind: 'answer'; answer: object } | { kind: 'failed'; why: string };

function readJson(status: number, body: string): Read {
  if (status < 200 || status > 299) return { kind: 'failed', why: `answered ${status}` };
  if (body.trim() === '') return { kind: 'answer', answer: {} };
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return { kind: 'answer', answer };
  } catch {
    // said below
  }
  return { kind: 'failed', why: 'answered something that is no JSON object' };
}
