import type { StreamChunk } from '@everturn/core/domain';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ChunkDrain, DrainLossError, type AppendPart, type AppendVerdict } from './drain.ts';
import { ROW_TEXT_BYTES, splitChunk } from './split-chunk.ts';

const delta = (text: string): StreamChunk => ({ type: 'text-delta', index: 0, text });

/** A log of one session whose commits are let through by hand; a place written twice keeps its number. */
function handLog() {
  const commits: { parts: AppendPart<string>[]; pass(): void; fail(): void }[] = [];
  const numbers = new Map<string, number>();
  let next = 10;
  const append = (parts: AppendPart<string>[]) =>
    new Promise<AppendVerdict[]>((resolve, reject) => {
      const verdicts = () =>
        parts.map(({ target, first, chunks }): AppendVerdict => {
          const seqs = chunks.map((_, offset) => {
            const place = `${target}/${first + offset}`;
            if (!numbers.has(place)) numbers.set(place, next++);
            return numbers.get(place) as number;
          });
          return { kind: 'written', ranges: seqs.map((seq) => ({ from: seq, to: seq })) };
        });
      commits.push({
        parts,
        pass: () => resolve(verdicts()),
        fail: () => {
          verdicts(); // stored, but the answer got lost
          reject(new Error('connection terminated'));
        },
      });
    });
  return { append, commits };
}

describe('the drain', () => {
  test('commits the first chunk at once and collects what comes while a commit is in flight', async () => {
    const log = handLog();
    const drain = new ChunkDrain<string>({ append: log.append });
    const a = drain.open('a', () => {});
    const b = drain.open('b', () => {});
    a.push(delta('1'));
    a.push(delta('2'));
    b.push(delta('x'));
    a.push(delta('3'));
    expect(log.commits.map(({ parts }) => parts)).toEqual([[{ target: 'a', first: 0, chunks: [delta('1')] }]]);
    log.commits[0]?.pass();
    await vi.waitFor(() => expect(log.commits).toHaveLength(2), 30_000);
    expect(log.commits[1]?.parts).toEqual([
      { target: 'a', first: 1, chunks: [delta('2'), delta('3')] },
      { target: 'b', first: 0, chunks: [delta('x')] },
    ]);
    log.commits[1]?.pass();
    expect(await a.end()).toEqual({ ranges: [{ from: 10, to: 12 }], first: 3, rest: [] });
    expect(await b.end()).toEqual({ ranges: [{ from: 13, to: 13 }], first: 1, rest: [] });
  });

  test('what waits when the stream ends is handed over, after the commit in flight has landed', async () => {
    const log = handLog();
    const drain = new ChunkDrain<string>({ append: log.append });
    const writer = drain.open('a', () => {});
    writer.push(delta('1'));
    writer.push(delta('2'));
    const ended = writer.end();
    log.commits[0]?.pass();
    expect(await ended).toEqual({ ranges: [{ from: 10, to: 10 }], first: 1, rest: [delta('2')] });
    expect(log.commits).toHaveLength(1);
  });

  test('a stream that ends while the database is away hands over everything of unknown fate', async () => {
    const log = handLog();
    const drain = new ChunkDrain<string>({ append: log.append });
    const writer = drain.open('a', () => {});
    writer.push(delta('1'));
    const ended = writer.end();
    log.commits[0]?.fail();
    expect(await ended).toEqual({ ranges: [], first: 0, rest: [delta('1')] });
  });

  test('a commit whose answer got lost is repeated at the same places, and nothing is written twice', async () => {
    const log = handLog();
    const drain = new ChunkDrain<string>({ append: log.append });
    const writer = drain.open('a', () => {});
    writer.push(delta('1'));
    log.commits[0]?.fail();
    writer.push(delta('2'));
    await vi.waitFor(() => expect(log.commits).toHaveLength(2), 30_000);
    expect(log.commits[1]?.parts).toEqual([{ target: 'a', first: 0, chunks: [delta('1'), delta('2')] }]);
    log.commits[1]?.pass();
    expect(await writer.end()).toEqual({ ranges: [{ from: 10, to: 11 }], first: 2, rest: [] });
  });

  test('a refused stream is lost alone', async () => {
    const lost: unknown[] = [];
    const drain = new ChunkDrain<string>({
      append: async (parts) =>
        parts.map(({ target }) =>
          target === 'late' ? { kind: 'refused', reason: 'epoch' } : { kind: 'written', ranges: [{ from: 1, to: 1 }] },
        ),
    });
    const late = drain.open('late', (loss) => lost.push(loss));
    const good = drain.open('good', (loss) => lost.push(loss));
    late.push(delta('x'));
    good.push(delta('y'));
    await vi.waitFor(() => expect(lost).toHaveLength(1), 30_000);
    await expect(late.end()).rejects.toThrow(DrainLossError);
    expect(await good.end()).toEqual({ ranges: [{ from: 1, to: 1 }], first: 1, rest: [] });
    expect(lost).toEqual([{ kind: 'refused', reason: 'epoch' }]);
  });

  test('an outage longer than the limit gives up what waits', async () => {
    const drain = new ChunkDrain<string>({
      append: () => Promise.reject(new Error('ECONNREFUSED')),
      outageLimitMs: 120,
    });
    const lost: unknown[] = [];
    const writer = drain.open('a', (loss) => lost.push(loss));
    writer.push(delta('x'));
    await vi.waitFor(() => expect(lost).toHaveLength(1), 30_000);
    await expect(writer.end()).rejects.toThrow('the database was away for 120 ms: ECONNREFUSED');
    expect(lost).toEqual([{ kind: 'given-up', reason: 'the database was away for 120 ms: ECONNREFUSED' }]);
  });

  test('too much waiting while the database is away costs the stream that holds most', async () => {
    const log = handLog();
    const drain = new ChunkDrain<string>({ append: log.append, bufferLimitBytes: 10_000 });
    const small = drain.open('small', () => {});
    const large = drain.open('large', () => {});
    small.push(delta('x'));
    const held = Array.from({ length: 4 }, () => {
      large.push(delta('y'.repeat(4_000)));
      return large.room();
    });
    expect(held.map((room) => room !== undefined)).toEqual([false, true, true, true]);
    log.commits[0]?.fail();
    // Nobody is held by a database that is not there.
    for (const room of held) await room;
    await expect(large.end()).rejects.toThrow('more than 10000 bytes wait for the database');
    expect(large.room()).toBeUndefined();
    await vi.waitFor(() => expect(log.commits).toHaveLength(2), 30_000);
    log.commits[1]?.pass();
    expect(await small.end()).toEqual({ ranges: [{ from: 10, to: 10 }], first: 1, rest: [] });
  });

  test('a model that is faster than the database waits for it, and loses nothing however much it says', async () => {
    const log = handLog();
    const drain = new ChunkDrain<string>({ append: log.append, bufferLimitBytes: 10_000 });
    const lost: unknown[] = [];
    const writer = drain.open('a', (loss) => lost.push(loss));
    const other = drain.open('b', (loss) => lost.push(loss));
    writer.push(delta('1'));
    expect(writer.room()).toBeUndefined();
    // One chunk may be larger than everything that may wait.
    writer.push({ type: 'block-end', index: 0, block: { type: 'text', text: 'y'.repeat(50_000) } });
    const room = writer.room();
    other.push(delta('2'));
    const beside = other.room();
    let woken = 0;
    for (const held of [room, beside]) void held?.then(() => (woken += 1));
    log.commits[0]?.pass();
    await vi.waitFor(() => expect(log.commits).toHaveLength(2), 30_000);
    expect(woken).toBe(0);
    log.commits[1]?.pass();
    await room;
    await beside;
    expect((await writer.end()).rest).toEqual([]);
    expect((await other.end()).rest).toEqual([]);
    expect(lost).toEqual([]);
  });

  test('a stream that is closed leaves its room to those that wait', async () => {
    const log = handLog();
    const drain = new ChunkDrain<string>({ append: log.append, bufferLimitBytes: 10_000 });
    const [one, two] = [drain.open('a', () => {}), drain.open('b', () => {})];
    one.push(delta('y'.repeat(6_000)));
    two.push(delta('2'));
    const held = two.room();
    expect(held).toBeInstanceOf(Promise);
    one.close();
    await held;
    log.commits[0]?.pass();
  });
});

test('splitting keeps the text, the kind and every character whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 300 }), (unit, times) => {
      const value = unit.repeat(times);
      const pieces = splitChunk({ type: 'reasoning-delta', index: 3, text: value });
      expect(pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')).toBe(value);
      for (const piece of pieces) {
        expect(piece).toMatchObject({ type: 'reasoning-delta', index: 3 });
        expect(Buffer.byteLength('text' in piece ? piece.text : '')).toBeLessThanOrEqual(ROW_TEXT_BYTES);
      }
    }),
  );
});
