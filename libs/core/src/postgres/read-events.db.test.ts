import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionId, TenantId } from '../domain/index.ts';
import { openTestDatabase } from '../testing/index.ts';
import { readEventRows, readEvents } from './read-events.ts';
import type { ReadEventsInput } from './read-events.ts';
import { eventText } from './session-events.ts';

const { database, drop } = await openTestDatabase();
beforeAll(async () => {
  // Every third row a chunk, every fifth with 1,000 bytes of data.
  await sql`
    insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data, surface_op, replace_start, replace_end, source_ranges)
    select 's', n, 'acme', case when n % 3 = 0 then 'assistant/chunk' else 'todo/write' end, n, 'x~1/' || n, '',
      case when n % 5 = 0 then '"' || repeat('x', 998) || '"' else '1' end,
      case n when 7 then 'append' when 8 then 'replace' end, case n when 8 then 6 end, case n when 8 then 4 end,
      case n when 8 then '[[4,6],[1,1]]'::jsonb end
    from generate_series(0, 19) as n`.execute(database);
});
afterAll(drop);

const key = { tenant: 'acme' as TenantId, session: 's' as SessionId };
const read = async (input: Omit<ReadEventsInput, 'tenant' | 'session'>) => {
  const { events, next } = await readEvents(database, { ...key, ...input });
  return { seqs: events.map(({ seq }) => seq), next };
};

test('pages by number, type and kind, each telling where to go on', async () => {
  expect(await read({ from: 3, limit: 3 })).toEqual({ seqs: [3, 4, 5], next: 6 });
  expect(await read({ from: 17, limit: 3 })).toEqual({ seqs: [17, 18, 19], next: undefined });
  expect(await read({ from: 17, to: 18, limit: 3 })).toEqual({ seqs: [17, 18], next: undefined });
  expect(await read({ from: 0, chunks: false, limit: 4 })).toEqual({ seqs: [1, 2, 4, 5], next: 6 });
  expect(await read({ from: 10, types: ['assistant/chunk'], limit: 9 })).toEqual({
    seqs: [12, 15, 18],
    next: undefined,
  });
  expect(await read({ from: 20, limit: 9 })).toEqual({ seqs: [], next: undefined });
});

test('a page ends with the event that fills it, however large, and reading on reaches the end', async () => {
  expect(await read({ from: 0, limit: 9, maxBytes: 1 })).toEqual({ seqs: [0], next: 1 });
  expect(await read({ from: 1, limit: 9, maxBytes: 1000 })).toEqual({ seqs: [1, 2, 3, 4, 5], next: 6 });
  const all: number[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const page: { seqs: number[]; next: number | undefined } = await read({ from, limit: 4, maxBytes: 1500 });
    all.push(...page.seqs);
    from = page.next;
  }
  expect(all).toEqual(Array.from({ length: 20 }, (_, seq) => seq));
});

test('readers see ranges expanded, and the text of an event is the event', async () => {
  const { events } = await readEvents(database, { ...key, from: 7, to: 8, limit: 2 });
  expect(events).toEqual([
    { type: 'todo/write', seq: 7, time: 7, data: 1, surfaceOp: 'append' },
    {
      type: 'todo/write',
      seq: 8,
      time: 8,
      data: 1,
      surfaceOp: { op: 'replace', start: 6, end: 4 },
      sourceEventSeqs: [4, 5, 6, 1],
    },
  ]);
  const rows = await readEventRows(database, { ...key, from: 7, to: 8, limit: 2 });
  expect(rows.events.map((row) => JSON.parse(eventText(row)) as unknown)).toEqual(events);
});

test("another tenant's log is empty", async () => {
  expect(await readEvents(database, { ...key, tenant: 'other' as TenantId, from: 0, limit: 9 })).toEqual({
    events: [],
  });
});
