import { sql, type RawBuilder } from 'kysely';
import type { GoalChange, GoalFact, GoalSource, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** Written as the index of such messages has it, so that only they are read. */
const SAYS_GOAL = sql<boolean>`position('"kind":"goal"' in data) > 0`;

/** The newest of what a log says of its goal: statements that give a row's text, or nothing. */
export function latestGoalRows(mine: RawBuilder<unknown>): { change: RawBuilder<unknown>; round: RawBuilder<unknown> } {
  return {
    change: sql`select data from session_events where ${mine} and type = 'goal/change' order by seq desc limit 1`,
    round: sql`select data from session_events where ${mine} and type = 'user/message' and ${SAYS_GOAL}
      and storable_json(data) #>> '{source,kind}' = 'goal' order by seq desc limit 1`,
  };
}

/** An event that is, or may be, about a goal. */
interface GoalRow {
  type: string;
  data: string;
}

/** What a session's log says of its goals, oldest first: changes, and the messages of rounds. */
export async function readGoalFacts(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<GoalFact[]> {
  const log = database
    .selectFrom('session_events')
    .select(['seq', 'type', 'data'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session);
  const changes = await log.where('type', '=', 'goal/change').orderBy('seq').execute();
  const [first] = changes;
  if (!first) return [];
  const rounds = await log.where('type', '=', 'user/message').where('seq', '>', first.seq).where(SAYS_GOAL).execute();
  return goalFacts([...changes, ...rounds].toSorted((a, b) => a.seq - b.seq));
}

/** What rows say of goals: changes, and messages of rounds; they were validated when they were written. */
function goalFacts(rows: readonly GoalRow[]): GoalFact[] {
  return rows.flatMap(({ type, data }): GoalFact[] => {
    if (type === 'goal/change') return [{ kind: 'change', change: JSON.parse(data) as GoalChange }];
    const { source } = JSON.parse(data) as { source: GoalSource | { kind: 'user' } };
    return source.kind === 'goal' ? [{ kind: 'round', source }] : [];
  });
}
