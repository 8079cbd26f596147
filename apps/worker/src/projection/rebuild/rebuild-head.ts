import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { canonicalJson, eventRule, isEventType } from '@everturn/core/domain';
import type { AuthoredEvent } from '@everturn/core/domain';
import type { Tables } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import { encodeEvent } from '../encode-event.ts';

export interface RebuildHeadInput extends Pick<SessionRef, 'tenant' | 'session'> {
  /** The highest generation any author belonged to. */
  generation: number;
  /** The highest number known to be a chunk's. */
  highestChunk: number;
}

/** Puts a log's head where its rows say, and lists the numbers that have none; answers how many those are. */
export async function rebuildHead(executor: Kysely<Tables>, input: RebuildHeadInput): Promise<number> {
  const nextSeq = await moveHead(executor, input);
  await replay(executor, input);
  await sql`select recount_head(${input.session})`.execute(executor);
  return listGaps(executor, input, nextSeq);
}

async function moveHead(executor: Kysely<Tables>, input: RebuildHeadInput): Promise<number> {
  const { tenant, session, generation, highestChunk } = input;
  const { rows } = await sql<{ next_seq: number }>`
    update log_heads set
      -- Numbers that were given out stay given out, also where nobody knows any more to what.
      next_seq = greatest(next_seq, ${highestChunk + 1},
        (select coalesce(max(seq), -1) + 1 from session_events where session_id = ${session})),
      last_time = (select coalesce(max(time), 0) from session_events where session_id = ${session}),
      generation = greatest(generation, ${generation}),
      closed = exists (select from sessions where id = ${session} and status = 'closed')
    where tenant = ${tenant} and session_id = ${session}
    returning next_seq`.execute(executor);
  return rows[0]?.next_seq ?? 0;
}

/** What is open is a matter of the last turn: its rows are followed the way `commit` followed them. */
async function replay(executor: Kysely<Tables>, { tenant, session }: RebuildHeadInput): Promise<void> {
  const { rows } = await sql<{ seq: number; type: string; data: string; surface_op: 'append' | 'replace' | null }>`
    select seq, type, data, surface_op from session_events
    where tenant = ${tenant} and session_id = ${session} and type <> 'assistant/chunk'
      and seq >= (select max(seq) from session_events where session_id = ${session} and type = 'turn/start')
    order by seq`.execute(executor);
  const head = new HeadFold();
  for (const row of rows) head.apply(row);
  await executor.updateTable('log_heads').set(head.columns()).where('session_id', '=', session).execute();
}

/** What `commit` keeps in a head, folded from the rows of the last turn. */
class HeadFold {
  #turn: number | null = null;
  #step: number | null = null;
  #lastTurn = 0;
  #lastStep = 0;
  #turnStart: number | null = null;
  #stepStart: number | null = null;
  #calls: string[] = [];
  #open: string[] = [];
  #seen: string[] = [];

  apply({ seq, type, data, surface_op }: { seq: number; type: string; data: string; surface_op: string | null }): void {
    const { turn = null, step = null, callId } = JSON.parse(data) as { turn?: number; step?: number; callId?: string };
    switch (type) {
      case 'turn/start':
        [this.#turn, this.#lastTurn, this.#turnStart] = [turn, turn ?? 0, seq];
        break;
      case 'turn/end':
        [this.#turn, this.#open, this.#seen] = [null, [], []];
        break;
      case 'step/start':
        [this.#step, this.#lastStep, this.#stepStart] = [step, step ?? 0, seq];
        break;
      case 'step/end':
        [this.#step, this.#calls] = [null, []];
        break;
      case 'tool/call':
        this.#calls.push(canonicalJson(callId));
        break;
      case 'tool/result':
        if (surface_op === 'append') this.#calls = without(this.#calls, canonicalJson(callId));
        break;
      default:
        this.#bracket(type, data);
    }
  }

  columns() {
    return {
      open_turn: this.#turn,
      open_step: this.#step,
      last_turn: this.#lastTurn,
      last_step: this.#lastStep,
      turn_start_seq: this.#turnStart,
      step_start_seq: this.#stepStart,
      open_calls: this.#calls,
      open_brackets: this.#open,
      seen_brackets: this.#seen,
    };
  }

  #bracket(type: string, data: string): void {
    if (!isEventType(type) || !eventRule(type).pair) return;
    const { opens, closes } = encodeEvent({ type, data: JSON.parse(data) } as AuthoredEvent);
    if (opens !== undefined) {
      this.#open.push(opens);
      this.#seen.push(opens);
    }
    if (closes !== undefined) this.#open = without(this.#open, closes);
  }
}

function without(items: string[], item: string): string[] {
  const place = items.indexOf(item);
  return place < 0 ? items : items.toSpliced(place, 1);
}

async function listGaps(
  executor: Kysely<Tables>,
  { tenant, session }: RebuildHeadInput,
  nextSeq: number,
): Promise<number> {
  await executor
    .deleteFrom('log_gaps')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('reason', '=', 'rebuilt')
    .execute();
  const { rows } = await sql<{ missing: number }>`
    with present as (
      select int8range(seq, seq, '[]') as numbers from session_events where session_id = ${session}
      union all
      select int8range(from_seq, to_seq, '[]') from log_gaps where session_id = ${session}
    ), missing as (
      select unnest(int8multirange(int8range(0, ${nextSeq})) - (select coalesce(range_agg(numbers), '{}') from present)) as numbers
    ), listed as (
      insert into log_gaps (session_id, from_seq, to_seq, tenant, reason)
      select ${session}, lower(numbers), upper(numbers) - 1, ${tenant}, 'rebuilt' from missing
      returning to_seq - from_seq + 1 as count
    )
    select coalesce(sum(count), 0)::bigint as missing from listed`.execute(executor);
  return rows[0]?.missing ?? 0;
}
