import { sql, type Kysely } from 'kysely';
import type { EventId } from '@everturn/core/domain';
import type { Tables } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import { asProjectionError } from '../errors.ts';
import type { ExpectedRow, ExpectedRows, LogRow } from '../histories/expected-rows.ts';
import type { HistoryFacts } from '../histories/history-facts.ts';
import type { Projection } from '../projection.ts';
import type { LogProblem } from '../verify.ts';

export interface CompareInput extends Pick<SessionRef, 'tenant' | 'session'> {
  expected: ExpectedRows;
  facts: HistoryFacts;
  /** Rows up to this number are the seals' concern. */
  above: number;
  progress?: () => void;
}
export interface CompareResult {
  problems: LogProblem[];
  compared: number;
  unconfirmed: number;
  confirmedTo: number;
}

const COLUMNS = [
  'eid',
  'type',
  'time',
  'stamped_time',
  'turn',
  'step',
  'surface_op',
  'replace_start',
  'replace_end',
  'source_ranges',
] as const;
/** Rows may have a megabyte each. */
const PAGE = 100;

/** Compares the stored rows above a number, chunks left out, with what histories say they must be. */
export async function compareRows(projection: Projection, input: CompareInput): Promise<CompareResult> {
  const { expected, facts, above, progress } = input;
  // A seed may hold chunks, which are compared with nothing: they may be pruned.
  const wanted = new Map(expected.rows.filter(({ type }) => type !== 'assistant/chunk').map((row) => [row.seq, row]));
  const problems = expected.contentless
    .filter(({ seq }) => seq > above)
    .map(({ seq, eid }) => problem(seq, `no history holds the content of ${eid}`));
  const known = new Set([...expected.contentless.map(({ seq }) => seq), ...wanted.keys()]);
  let compared = 0;
  let firstUnconfirmed = Number.MAX_SAFE_INTEGER;
  let unconfirmed = 0;
  for await (const row of storedRows(projection.database, input)) {
    progress?.();
    const must = wanted.get(row.seq);
    wanted.delete(row.seq);
    if (must) {
      compared += 1;
      const differing = await differingColumns(row, must);
      if (differing.length > 0)
        problems.push(problem(row.seq, `${must.eid} differs from its history in ${differing.join(', ')}`));
    } else if (!known.has(row.seq)) {
      unconfirmed += 1;
      firstUnconfirmed = Math.min(firstUnconfirmed, row.seq);
      const number = facts.numbers.get(row.eid)?.seq;
      if (number !== undefined) problems.push(problem(row.seq, `${row.eid} is number ${number} in its history`));
    }
  }
  for (const { seq, eid } of wanted.values()) problems.push(problem(seq, `the row of ${eid} is missing`));
  return { problems, compared, unconfirmed, confirmedTo: firstUnconfirmed - 1 };
}

async function differingColumns(row: LogRow, must: ExpectedRow): Promise<string[]> {
  const differing: string[] = COLUMNS.filter((column) => !same(row[column], must[column]));
  return row.data === (await must.readData()) ? differing : [...differing, 'data'];
}

/** The rows above a number in order, chunks left out. */
export async function* storedRows(
  executor: Kysely<Tables>,
  { tenant, session, above }: Pick<CompareInput, 'tenant' | 'session' | 'above'>,
): AsyncGenerator<LogRow> {
  for (let after = above; ;) {
    const { rows } = await asProjectionError(() =>
      sql<LogRow & { eid: EventId }>`
        select seq, eid, type, time, stamped_time, data, turn, step, surface_op, replace_start, replace_end, source_ranges
        from session_events
        where tenant = ${tenant} and session_id = ${session} and seq > ${after} and type <> 'assistant/chunk'
        order by seq
        limit ${PAGE}`.execute(executor),
    );
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

/** Whether two column values are equal. */
export function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function problem(seq: number, message: string): LogProblem {
  return { by: 'histories', seq, message };
}
