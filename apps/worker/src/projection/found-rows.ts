import { canonicalJson, INLINE_LIMIT_BYTES, parseEventId, REF_MEMBERS } from '@everturn/core/domain';
import type { Ack, AuthoredEvent, EventId, JsonValue, SeqRange } from '@everturn/core/domain';
import { inlineOrStore } from '@everturn/core/postgres';
import { sql } from 'kysely';
import type { FoundRows, SessionRef, WrittenEvent } from '../contract/index.ts';
import { toRanges } from './claim-answer.ts';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

type FoundRow = {
  eid: string;
  seq: number;
  type: string;
  time: number;
  stamped_time: number | null;
  /** Only of rows that an activity wrote. */
  data: string | null;
  surface_op: 'append' | 'replace' | null;
  replace_start: number | null;
  replace_end: number | null;
  source_ranges: [number, number][] | null;
};

/**
 * Every row whose number a history may lack because its author died before it heard of it: the last turn's, and those
 * of the session's own last commit. Content goes along where only an activity knew it.
 */
export async function foundRows(projection: Projection, ref: SessionRef): Promise<FoundRows> {
  const { tenant, session } = ref;
  const rows = await asProjectionError(async () => {
    const statement = sql<FoundRow>`
      select e.eid, e.seq, e.type, e.time, e.stamped_time, e.surface_op, e.replace_start, e.replace_end, e.source_ranges,
        case when e.eid ~ '^t[0-9]+[.]s[0-9]+[.]' and e.type <> 'assistant/chunk' then e.data end as data
      from log_heads as head
      join sessions as session on session.id = head.session_id
      join session_events as e on e.session_id = head.session_id
        and e.seq >= coalesce((session.header::json->>'seedLength')::bigint, 0)
        and (e.seq >= head.turn_start_seq or e.seq between head.session_from and head.session_to)
      where head.tenant = ${tenant} and head.session_id = ${session}
      order by e.seq`;
    return (await statement.execute(projection.database)).rows;
  });
  const events: WrittenEvent[] = [];
  const acks: Ack[] = [];
  const chunks: SeqRange[] = [];
  for (const row of rows) {
    if (row.type === 'assistant/chunk') extend(chunks, row.seq);
    else if (row.data === null) acks.push({ eid: row.eid as EventId, seq: row.seq, time: row.time });
    else events.push({ event: await reconstruct(projection, ref, row), seq: row.seq, time: row.time });
  }
  const travel = <T>(value: T) =>
    asProjectionError(() => inlineOrStore(projection.database, tenant, value, INLINE_LIMIT_BYTES));
  return {
    events: await travel(events),
    chunks,
    acks: await travel(acks),
    settled: await settledClaims(projection, ref),
  };
}

/** What recovery settled; its repeated attempt finds the same. */
async function settledClaims({ database }: Projection, { tenant, session }: SessionRef): Promise<FoundRows['settled']> {
  const { rows } = await asProjectionError(() =>
    sql<FoundRows['settled'][number]>`
      select claim.key, claim.state, coalesce(claim.turn, 0) as turn, coalesce(claim.step, 0) as step, claim.label
      from log_heads as head
      join claims as claim on claim.session_id = head.session_id and claim.state in ('void', 'unknown')
        and starts_with(claim.key, 't' || head.last_turn || '.')
      where head.tenant = ${tenant} and head.session_id = ${session}
      order by claim.key`.execute(database),
  );
  return rows;
}

function extend(ranges: SeqRange[], seq: number): void {
  const last = ranges.at(-1);
  if (last && last.to + 1 === seq) last.to = seq;
  else ranges.push({ from: seq, to: seq });
}

/** The event as its author named it, but for references and names, which stand as values and numbers alike. */
async function reconstruct(projection: Projection, { tenant }: SessionRef, row: FoundRow): Promise<AuthoredEvent> {
  const data = JSON.parse(row.data ?? 'null') as Record<string, JsonValue>;
  for (const member of REF_MEMBERS) {
    if (!(member in data) || Buffer.byteLength(canonicalJson(data[member])) <= INLINE_LIMIT_BYTES) continue;
    data[member] = (await asProjectionError(() =>
      inlineOrStore(projection.database, tenant, data[member] as JsonValue, INLINE_LIMIT_BYTES),
    )) as JsonValue;
  }
  const { eid, type, surface_op: surface } = row;
  return {
    eid,
    type,
    time: row.stamped_time ?? row.time,
    data,
    ...(surface === 'append' && { surfaceOp: 'append' }),
    ...(surface === 'replace' && { surfaceOp: { op: 'replace', start: row.replace_start, end: row.replace_end } }),
    ...(row.source_ranges && { sources: toRanges(row.source_ranges) }),
  } as unknown as AuthoredEvent; // it was one when `commit` wrote the row
}

/** Whether an activity, not a workflow, names events so. */
export function isActivityAuthor(eid: EventId): boolean {
  return /^t\d+\.s\d+\./.test(parseEventId(eid)?.author ?? '');
}
