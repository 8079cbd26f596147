import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TailRing, type LogRow } from './tail-ring.ts';

const row = (seq: number, json = 'x'): LogRow => ({ seq, type: 't', json });

describe('TailRing', () => {
  test('answers what it holds and admits what it does not', () => {
    const ring = new TailRing(4, { rows: 2, characters: 100 });
    expect([ring.base, ring.head, ring.after(3), ring.after(4)]).toEqual([4, 4, undefined, []]);
    ring.push([row(5), row(6), row(7)]);
    expect([ring.base, ring.head]).toEqual([5, 7]);
    expect(ring.after(4)).toBeUndefined();
    expect(ring.after(5)).toEqual([row(6), row(7)]);
    expect(ring.after(6)).toEqual([row(7)]);
  });

  test('keeps the newest row however large it is', () => {
    const ring = new TailRing(-1, { rows: 10, characters: 3 });
    ring.push([row(0, 'aa'), row(1, 'bbbbbb')]);
    expect(ring.after(0)).toEqual([row(1, 'bbbbbb')]);
    expect(ring.after(-1)).toBeUndefined();
  });

  test('a reader that falls back to the store when told to misses and repeats nothing', () => {
    const batches = fc.array(fc.array(fc.string({ maxLength: 6 }), { maxLength: 5 }), { maxLength: 20 });
    fc.assert(
      fc.property(batches, fc.array(fc.boolean(), { maxLength: 20 }), (lists, reads) => {
        const stored: LogRow[] = [];
        const ring = new TailRing(-1, { rows: 4, characters: 12 });
        const seen: LogRow[] = [];
        const read = () => {
          const after = seen.at(-1)?.seq ?? -1;
          seen.push(...(ring.after(after) ?? stored.filter((known) => known.seq > after)));
        };
        lists.forEach((list, index) => {
          const batch = list.map((json, offset) => row(stored.length + offset, json));
          stored.push(...batch);
          ring.push(batch);
          if (reads[index]) read();
        });
        read();
        expect(seen).toEqual(stored);
      }),
    );
  });
});
