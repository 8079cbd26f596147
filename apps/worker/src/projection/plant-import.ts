import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { canonicalJson, Enclosure, type SessionEvent } from '@everturn/core/domain';
import { readImport, type Database, type StoredRange, type Tables } from '@everturn/core/postgres';
import type { SessionRef } from '../contract/index.ts';

type SessionKey = Pick<SessionRef, 'tenant' | 'session'>;

/** Rows of one statement. */
const BATCH = 100;

/** Writes the rows of a log from elsewhere behind a number that are not there. */
export async function copyImport(
  executor: Kysely<Tables>,
  { after, ...key }: SessionKey & { after: number },
): Promise<void> {
  const enclosure = new Enclosure({ lastTurn: 0 });
  for await (const events of readImport(executor, key)) {
    const rows = events.map((event) => rowOf(event, enclosure)).filter(({ seq }) => seq > after);
    for (let first = 0; first < rows.length; first += BATCH)
      await executor
        .insertInto('session_events')
        .values(
          rows.slice(first, first + BATCH).map(({ source_ranges, ...row }) => ({
            ...row,
            session_id: key.session,
            tenant: key.tenant,
            source_ranges: source_ranges && sql<never>`${JSON.stringify(source_ranges)}::jsonb`,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }
}

/** Numbers of rows that are not as they came. */
export async function strayedImport(database: Database, key: SessionKey, progress?: () => void): Promise<number[]> {
  const strayed: number[] = [];
  for await (const events of readImport(database, key)) {
    progress?.();
    const counted = events.filter(({ type }) => type !== 'assistant/chunk');
    const [first, last] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0];
    const rows = await database
      .selectFrom('session_events')
      .select(['seq', 'content_hash'])
      .where('tenant', '=', key.tenant)
      .where('session_id', '=', key.session)
      .where('seq', '>=', first)
      .where('seq', '<=', last)
      .execute();
    const stored = new Map(rows.map(({ seq, content_hash }) => [seq, content_hash]));
    strayed.push(...counted.flatMap((event) => (stored.get(event.seq)?.equals(hashOf(event)) ? [] : [event.seq])));
  }
  return strayed;
}

/** An event as a row, in the turn and step it lies in: an end lies in what it ends, a start in what it starts. */
function rowOf(event: SessionEvent, enclosure: Enclosure) {
  const before = enclosure.open;
  enclosure.apply(event);
  const { turn = before.turn, step = before.step } = enclosure.open;
  const { surfaceOp, sourceEventSeqs } = event;
  const replaces = typeof surfaceOp === 'object' ? surfaceOp : undefined;
  return {
    seq: event.seq,
    type: event.type,
    time: event.time,
    stamped_time: null,
    eid: `seed/${event.seq}`,
    content_hash: hashOf(event),
    data: canonicalJson(event.data),
    turn: turn ?? null,
    step: step ?? null,
    surface_op: surfaceOp === undefined ? null : replaces ? ('replace' as const) : ('append' as const),
    replace_start: replaces?.start ?? null,
    replace_end: replaces?.end ?? null,
    source_ranges: sourceEventSeqs ? rangesOf(sourceEventSeqs) : null,
  };
}

/** As `content_hash` of the database makes it. */
function hashOf({ type, time, surfaceOp, data }: SessionEvent): Buffer {
  const surface = surfaceOp === undefined ? '-' : typeof surfaceOp === 'object' ? 'replace' : 'append';
  const stamped = type === 'assistant/chunk' ? 0 : time;
  return createHash('sha256')
    .update([type, stamped, surface, canonicalJson(data)].join('\n'))
    .digest();
}

function rangesOf(seqs: readonly number[]): StoredRange[] {
  const ranges: StoredRange[] = [];
  for (const seq of seqs) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === seq) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  return ranges;
}
