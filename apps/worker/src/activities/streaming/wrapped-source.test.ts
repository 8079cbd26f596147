import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { text, type SessionId, type StreamChunk, type TenantId } from '@everturn/core/domain';
import type { Listener } from '../../plugins/index.ts';
import { collectAnswer } from './collect-answer.ts';
import { wrappedSource } from './wrapped-source.ts';

const LIMIT_MS = 50;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const initiator = { tenant: 'acme' as TenantId, session: 's' as SessionId, turn: 1, step: 1 };
const said = (words: string): StreamChunk[] => [
  { type: 'block-start', index: 0, blockType: 'text' },
  { type: 'block-end', index: 0, block: text(words) },
  { type: 'finish', reason: { kind: 'stop' } },
];
const never = new Promise<never>(() => {});

/** What an attempt comes to with these listeners around a provider that takes longer than they may. */
async function answer(...listeners: Listener<'llm/stream'>[]) {
  let asked = 0;
  const slow = Promise.withResolvers<void>();
  const { signal } = new AbortController();
  const provider = {
    async *stream() {
      asked += 1;
      await slow.promise;
      yield* said('provided');
    },
  };
  const source = wrappedSource(provider, { listeners, context: { initiator, signal }, limitMs: LIMIT_MS });
  const options = { provider: 'p', model: 'm', messages: [], signal };
  const answered = collectAnswer({ source, options, onChunk: () => undefined });
  await vi.advanceTimersByTimeAsync(2 * LIMIT_MS);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(LIMIT_MS); // for one that hangs after it
  return { ...(await answered), asked };
}
const provided = { kind: 'success', content: [text('provided')], asked: 1 };

test('the first is the outermost; what the provider takes is not their time', async () => {
  const order: string[] = [];
  const around =
    (name: string): Listener<'llm/stream'> =>
    async (_event, next) => {
      order.push(`${name} in`);
      const inner = await next();
      return (async function* chunks() {
        yield* inner;
        order.push(`${name} out`);
      })();
    };
  expect(await answer(around('outer'), around('inner'))).toMatchObject(provided);
  expect(order).toEqual(['outer in', 'inner in', 'inner out', 'outer out']);
  expect(await answer()).toMatchObject(provided);
});

test('one may answer itself; then nobody further in is asked', async () => {
  const cached: Listener<'llm/stream'> = async function* cache() {
    yield* said('cached');
  } as never;
  const inner: Listener<'llm/stream'> = () => {
    throw new Error('not asked');
  };
  expect(await answer(cached, inner)).toMatchObject({ kind: 'success', content: [text('cached')], asked: 0 });
});

test.each<[string, Listener<'llm/stream'>, string, number]>([
  [
    'throws',
    () => {
      throw new Error('out of budget');
    },
    'out of budget',
    0,
  ],
  ['hangs before it answers', () => never, `the listeners of llm/stream did not answer within ${LIMIT_MS} ms`, 0],
  [
    'hangs in the middle',
    async function* hanging(_event: object, next: () => Promise<AsyncIterable<StreamChunk>>) {
      yield* await next();
      await never;
    } as never,
    `the listeners of llm/stream did not answer within ${LIMIT_MS} ms`,
    1,
  ],
  ['answers nothing', () => undefined as never, 'a listener around the model answered something that is no stream', 0],
  [
    'answers a list',
    () => said('listed') as never,
    'a listener around the model answered something that is no stream',
    0,
  ],
  [
    'yields what is no chunk',
    async function* odd() {
      yield { type: 'shout' };
    } as never,
    'a listener around the model answered something that is no chunk',
    0,
  ],
])('one that %s is a failed call', async (_what, listener, message, asked) => {
  expect(await answer(listener)).toEqual({ kind: 'failure', failure: { code: 'UNKNOWN', message }, asked });
});
