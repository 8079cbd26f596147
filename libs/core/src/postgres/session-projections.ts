import { sql } from 'kysely';
import {
  foldGoal,
  viewGoal,
  type GoalView,
  type JsonObject,
  type JsonValue,
  type SessionId,
  type TenantId,
} from '../domain/index.ts';
import type { Database } from './database.ts';
import { goalFacts, type GoalRow } from './session-goal.ts';

/** What a session's log comes to, all of it as of one event. */
export interface SessionProjections {
  /** The newest event that counts; -1 = the log is empty. */
  asOfSeq: number;
  /** The last of each kind of event that holds a whole value; `null` where there was none. */
  todos: JsonValue;
  title: { title: string; source: JsonValue } | null;
  plan: JsonValue;
  /** `null` also where the log contradicts itself about it. */
  goal: GoalView['goal'];
  stats: { turns: number; steps: number; messages: number; toolCalls: number; failedCalls: number; summaries: number };
  /** What providers counted, and what that cost where it has a price. */
  usage: JsonObject;
}

const LAST = { todos: 'todo/write', title: 'session/title', plan: 'plan/mode' } as const;

interface Row {
  next_seq: number | null;
  usage: JsonObject;
  latest: Record<string, string> | null;
  goal: GoalRow[] | null;
  stats: SessionProjections['stats'];
}

/** Reads them in one statement, so that nothing lies between; `undefined` when the tenant has no such session. */
export async function readProjections(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<SessionProjections | undefined> {
  const mine = sql`tenant = ${tenant} and session_id = ${session}`;
  const { rows } = await sql<Row>`
    select usage,
      (select next_seq from log_heads where ${mine}) as next_seq,
      (select json_object_agg(type, data) from (
        select distinct on (type) type, data from session_events
        where ${mine} and type = any (${Object.values(LAST)}::text[]) order by type, seq desc) as last) as latest,
      (select json_agg(json_build_object('type', type, 'data', data) order by seq) from session_events
        where ${mine} and (type = 'goal/change' or (type = 'user/message' and data like '%"kind":"goal"%'))) as goal,
      (select json_build_object(
          'turns', count(*) filter (where type = 'turn/start'),
          'steps', count(*) filter (where type = 'step/start'),
          'messages', count(*) filter (where type in ('user/message', 'steering/message') and surface_op = 'append'),
          'toolCalls', count(*) filter (where type = 'tool/call'),
          'failedCalls', count(*) filter (where type = 'tool/result' and surface_op = 'append' and data like '%"isError":true%'),
          'summaries', count(*) filter (where type = 'compact/summary'))
        from session_events where ${mine} and type <> 'assistant/chunk') as stats
    from sessions where tenant = ${tenant} and id = ${session}`.execute(database);
  const [row] = rows;
  if (!row) return undefined;
  const last = (type: string) =>
    row.latest?.[type] === undefined ? null : (JSON.parse(row.latest[type]) as JsonObject);
  // Validated when it was written.
  const title = last(LAST.title) as unknown as SessionProjections['title'];
  return {
    asOfSeq: (row.next_seq ?? 0) - 1,
    todos: last(LAST.todos)?.['todos'] ?? null,
    title: title && { title: title.title, source: title.source },
    goal: goalOf(row.goal ?? []),
    plan: last(LAST.plan),
    stats: row.stats,
    usage: row.usage,
  };
}

function goalOf(rows: readonly GoalRow[]): GoalView['goal'] {
  const folded = foldGoal(goalFacts(rows));
  return typeof folded === 'string' ? null : viewGoal(folded).goal;
}
