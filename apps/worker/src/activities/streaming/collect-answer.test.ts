import { LlmError, type CallId, type Message, type StreamChunk } from '@everturn/core/domain';
import { describe, expect, test } from 'vitest';
import { collectAnswer, type Answer } from './collect-answer.ts';

const messages: Message[] = [];

/** Collects an answer made of the given chunks; an error among them is thrown at its place. */
async function collect(
  parts: (StreamChunk | Error)[],
  controller = new AbortController(),
): Promise<[Answer, StreamChunk[]]> {
  const seen: StreamChunk[] = [];
  async function* stream() {
    for (const part of parts) {
      if (part instanceof Error) throw part;
      yield part;
    }
  }
  const answer = await collectAnswer({
    source: { stream },
    options: { provider: 'p', model: 'm', messages, signal: controller.signal },
    onChunk: (chunk) => {
      seen.push(chunk);
      if (chunk.type === 'text-delta' && chunk.text === 'cancel here') controller.abort();
      return undefined;
    },
  });
  return [answer, seen];
}

const say = (text: string): StreamChunk[] => [
  { type: 'block-start', index: 0, blockType: 'text' },
  { type: 'text-delta', index: 0, text },
  { type: 'block-end', index: 0, block: { type: 'text', text } },
];
const call = (id: string, args: string): StreamChunk[] => [
  { type: 'block-end', index: 1, block: { type: 'tool-call', id: id as CallId, name: 'read', arguments: args } },
];
const finish = (kind: 'stop' | 'tool-calls' | 'max-tokens'): StreamChunk => ({ type: 'finish', reason: { kind } });

describe('collectAnswer', () => {
  test('an answer with usage and replay state', async () => {
    const usage = { inputTokens: 1, outputTokens: 2 };
    const chunks: StreamChunk[] = [
      ...say('hi'),
      { type: 'usage', usage },
      { ...finish('stop'), replayState: { a: 1 } } as StreamChunk,
    ];
    expect(await collect(chunks)).toEqual([
      { kind: 'success', finish: 'stop', content: [{ type: 'text', text: 'hi' }], usage, replayState: { a: 1 } },
      chunks,
    ]);
  });

  test('nothing more is read while there is no room for it', async () => {
    const asked: number[] = [];
    async function* stream() {
      for (const [n, chunk] of [...say('hi'), finish('stop')].entries()) {
        asked.push(n);
        yield chunk;
      }
    }
    const room = Promise.withResolvers<void>();
    const options = { provider: 'p', model: 'm', messages, signal: new AbortController().signal };
    const collecting = collectAnswer({
      source: { stream },
      options,
      onChunk: (chunk) => (chunk.type === 'text-delta' ? room.promise : undefined),
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual([0, 1]);
    room.resolve();
    expect(await collecting).toMatchObject({ kind: 'success' });
  });

  test('calls are calls even when the model says stop', async () => {
    const [answer] = await collect([...call('c1', '{}'), finish('stop')]);
    expect(answer).toMatchObject({ kind: 'success', finish: 'tool-calls' });
  });

  test('at the token limit no call is left', async () => {
    const [answer] = await collect([...say('so'), ...call('c1', '{"a'), finish('max-tokens')]);
    expect(answer).toEqual({ kind: 'success', finish: 'max-tokens', content: [{ type: 'text', text: 'so' }] });
  });

  test.each([
    ['nothing', []],
    ['an empty text', say('')],
  ])('a stop with %s is a failure', async (_what, chunks) => {
    const [answer] = await collect([...chunks, finish('stop')]);
    expect(answer).toMatchObject({ kind: 'failure', failure: { code: 'EMPTY_RESPONSE' } });
  });

  test('a thrown LlmError is its failure; a foreign error is UNKNOWN whatever code it carries', async () => {
    const failure = { code: 'RATE_LIMIT', message: 'slow down', status: 429 } as const;
    expect((await collect([...say('x'), new LlmError(failure)]))[0]).toEqual({ kind: 'failure', failure });
    const foreign = Object.assign(new Error('fetch failed', { cause: new Error('ECONNRESET') }), {
      code: 'RATE_LIMIT',
    });
    expect((await collect([foreign]))[0]).toEqual({
      kind: 'failure',
      failure: { code: 'UNKNOWN', message: 'fetch failed: ECONNRESET' },
    });
  });

  test('what a failed answer used is counted all the same', async () => {
    const usage = { inputTokens: 7, outputTokens: 1, costUsd: 0.5 };
    const counted: StreamChunk = { type: 'usage', usage };
    const filtered = { code: 'CONTENT_FILTER', message: 'no' } as const;
    const refused: StreamChunk = { type: 'finish', reason: { kind: 'error', failure: filtered } };
    expect((await collect([...say('x'), counted, refused]))[0]).toEqual({ kind: 'failure', failure: filtered, usage });
    expect((await collect([...say(''), counted, finish('stop')]))[0]).toMatchObject({ kind: 'failure', usage });
    expect((await collect([counted, new LlmError(filtered)]))[0]).toEqual({
      kind: 'failure',
      failure: filtered,
      usage,
    });
  });

  test('a cancel ends it; what came before was passed on, what comes after is not', async () => {
    const [answer, seen] = await collect([...say('cancel here'), finish('stop')]);
    expect([answer, seen.length]).toEqual([{ kind: 'interrupted' }, 2]);
    expect((await collect([...say('x'), new LlmError({ code: 'ABORTED', message: '' })], aborted()))[0]).toEqual({
      kind: 'interrupted',
    });
  });
});

function aborted(): AbortController {
  const controller = new AbortController();
  controller.abort();
  return controller;
}
