import { sql } from 'kysely';
import {
  latestGoal,
  type GoalChange,
  type GoalSource,
  type GoalView,
  type JsonObject,
  type JsonValue,
  type SessionId,
  type TenantId,
} from '../domain/index.ts';
import type { Database } from './database.ts';
import { latestGoalRows } from './session-goal.ts';

/** What a session's log comes to, all of it as of one event. */
export interface SessionProjections {
  /** The newest event that counts; -1 = the log is empty. */
  asOfSeq: number;
  /** The last of each kind of event that holds a whole value; `null` where there was none. */
  todos: JsonValue;
  title: { title: string; source: JsonValue } | null;
  plan: JsonValue;
  goal: GoalView['goal'];
  stats: { turns: number; steps: number; messages: number; toolCalls: number; failedCalls: number; summaries: number };
  /** What providers counted, and what that cost where it has a price. */
  usage: JsonObject;
}

interface Row {
  usage: JsonObject;
  /** `null` before the log is opened, as all counts are then. */
  next_seq: number | null;
  stats: SessionProjections['stats'];
  todos: string | null;
  title: string | null;
  plan: string | null;
  goal_change: string | null;
  goal_round: string | null;
}

/**
 * Reads them in one statement, so that nothing lies between; `undefined` when the tenant has no such session. Counts are
 * kept with the log's head, and of whole values the newest is found by an index: a long log costs what a short one does.
 */
export async function readProjections(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<SessionProjections | undefined> {
  const mine = sql`tenant = ${tenant} and session_id = ${session}`;
  const goal = latestGoalRows(mine);
  const { rows } = await sql<Row>`
    select sessions.usage, head.next_seq,
      json_build_object(
        'turns', coalesce(turns, 0), 'steps', coalesce(steps, 0), 'messages', coalesce(messages, 0),
        'toolCalls', coalesce(tool_calls, 0), 'failedCalls', coalesce(failed_calls, 0),
        'summaries', coalesce(summaries, 0)) as stats,
      (select data from session_events where ${mine} and type = 'todo/write' order by seq desc limit 1) as todos,
      (select data from session_events where ${mine} and type = 'session/title' order by seq desc limit 1) as title,
      (select data from session_events where ${mine} and type = 'plan/mode' order by seq desc limit 1) as plan,
      (${goal.change}) as goal_change,
      (${goal.round}) as goal_round
    from sessions left join log_heads as head on head.tenant = sessions.tenant and head.session_id = sessions.id
    where sessions.tenant = ${tenant} and sessions.id = ${session}`.execute(database);
  const [row] = rows;
  if (!row) return undefined;
  const title = valueOf(row.title) as SessionProjections['title'];
  const todos = valueOf(row.todos) as { todos: JsonValue } | null;
  const change = valueOf(row.goal_change) as GoalChange | null;
  const round = valueOf(row.goal_round) as { source: GoalSource } | null;
  return {
    asOfSeq: (row.next_seq ?? 0) - 1,
    todos: todos?.todos ?? null,
    title: title && { title: title.title, source: title.source },
    goal: latestGoal(change ?? undefined, round?.source),
    plan: valueOf(row.plan) as JsonObject | null,
    stats: row.stats,
    usage: row.usage,
  };
}

// Validated when it was written.
const valueOf = (data: string | null): unknown => (data === null ? null : JSON.parse(data));
