import { sql } from 'kysely';
import type { AuthoredEvent, EventId, SeqRange, TenantId } from '@everturn/core/domain';
import { readBlobText } from '@everturn/core/postgres';
import type { StoredRange } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import { dataParts } from '../encode-event.ts';
import { asProjectionError, ProjectionError } from '../errors.ts';
import type { Projection } from '../projection.ts';
import type { HistoryFacts } from './history-facts.ts';

/** A row of the log. */
export interface LogRow {
  seq: number;
  eid: EventId;
  type: string;
  time: number;
  stamped_time: number | null;
  data: string;
  turn: number | null;
  step: number | null;
  surface_op: 'append' | 'replace' | null;
  replace_start: number | null;
  replace_end: number | null;
  source_ranges: StoredRange[] | null;
}

/** A row of the log as histories say it must be. Its data may be long and lie elsewhere: it is read when it is needed. */
export type ExpectedRow = Omit<LogRow, 'data'> & { readData(): Promise<string> };

export interface ExpectedRows {
  /** In order of number. */
  rows: ExpectedRow[];
  /** Numbers that were given out, and to what no history says. */
  contentless: { seq: number; eid: EventId }[];
}

export interface ExpectedRowsInput extends Pick<SessionRef, 'tenant' | 'session'> {
  /** Rows up to this number are sealed: histories are not asked about them, nor for the values they refer to. */
  above: number;
}

/** Puts content and numbers together: the rows of the log above a number, chunks left out. */
export async function expectedRows(
  projection: Projection,
  { tenant, session, above }: ExpectedRowsInput,
  facts: HistoryFacts,
): Promise<ExpectedRows> {
  const numbers = await withStoredNumbers(projection, { tenant, session }, facts);
  const contentless: ExpectedRows['contentless'] = [];
  const rows: ExpectedRow[] = [];
  const open: { turn: number | null; step: number | null } = { turn: null, step: null };
  for (const { eid, seq, time } of [...facts.numbers.values()].toSorted((a, b) => a.seq - b.seq)) {
    const event = facts.contents.get(eid);
    if (!event) {
      contentless.push({ seq, eid });
      continue;
    }
    const place = follow(open, event);
    if (seq <= above) continue;
    const readData = () => storedData(projection, tenant, event);
    const stamped = event.time === time ? null : event.time;
    const row = { seq, eid, type: event.type, time, stamped_time: stamped, ...place, ...surfaceOf(event, numbers) };
    rows.push({ ...row, readData });
  }
  return { rows, contentless };
}

/** The data of an event as its row holds it; throws `BLOB_MISSING`. */
async function storedData({ database }: Projection, tenant: TenantId, event: AuthoredEvent): Promise<string> {
  const pieces = dataParts(event.data).map(async (part) => {
    if (typeof part === 'string') return part;
    const text = await asProjectionError(() => readBlobText(database, tenant, part.blob));
    if (text === undefined) throw new ProjectionError('BLOB_MISSING', `blob ${part.blob} of ${event.eid} does not exist`);
    return text;
  });
  return (await Promise.all(pieces)).join('');
}

/** Numbers by name: those of histories, and of rows whose histories are gone, as far as events refer to them. */
async function withStoredNumbers(
  { database }: Projection,
  { tenant, session }: Pick<SessionRef, 'tenant' | 'session'>,
  facts: HistoryFacts,
): Promise<Map<string, number>> {
  const numbers = new Map([...facts.numbers.values()].map(({ eid, seq }) => [eid as string, seq]));
  const unknown = new Set<string>();
  for (const { surfaceOp, sources = [] } of facts.contents.values()) {
    const bounds = typeof surfaceOp === 'object' ? [surfaceOp.start, surfaceOp.end] : [];
    for (const name of [...sources, ...bounds]) {
      if (typeof name === 'string' && !numbers.has(name)) unknown.add(name);
    }
  }
  if (unknown.size === 0) return numbers;
  const { rows } = await asProjectionError(() =>
    sql<{ eid: string; seq: number }>`
      select eid, seq from session_events
      where tenant = ${tenant} and session_id = ${session} and eid = any (${[...unknown]})`.execute(database),
  );
  for (const { eid, seq } of rows) numbers.set(eid, seq);
  return numbers;
}

function follow(open: { turn: number | null; step: number | null }, event: AuthoredEvent) {
  if (event.type === 'turn/start') open.turn = event.data.turn;
  if (event.type === 'step/start') open.step = event.data.step;
  const place = { ...open };
  if (event.type === 'step/end') open.step = null;
  if (event.type === 'turn/end') open.turn = null;
  return place;
}

function surfaceOf({ eid, surfaceOp, sources }: AuthoredEvent, numbers: Map<string, number>) {
  const numberOf = (name: string | number): number => {
    const number = typeof name === 'number' ? name : numbers.get(name);
    if (number === undefined)
      throw new ProjectionError('REBUILD_IMPOSSIBLE', `${eid} refers to ${name}, which has no number in any history`);
    return number;
  };
  const replaces = typeof surfaceOp === 'object';
  return {
    surface_op: surfaceOp === undefined ? null : replaces ? ('replace' as const) : ('append' as const),
    replace_start: replaces ? numberOf(surfaceOp.start) : null,
    replace_end: replaces ? numberOf(surfaceOp.end) : null,
    source_ranges: sources ? joinRanges(sources.map((name) => rangeOf(name, numberOf))) : null,
  };
}

function rangeOf(name: string | SeqRange, numberOf: (name: string) => number): StoredRange {
  if (typeof name === 'object') return [name.from, name.to];
  const seq = numberOf(name);
  return [seq, seq];
}

function joinRanges(ranges: readonly StoredRange[]): StoredRange[] {
  const joined: StoredRange[] = [];
  for (const [from, to] of ranges) {
    const last = joined.at(-1);
    if (last && from === last[1] + 1) last[1] = to;
    else joined.push([from, to]);
  }
  return joined;
}
