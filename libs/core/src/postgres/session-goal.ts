import type { GoalChange, GoalFact, GoalSource, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** An event that is, or may be, about a goal. */
export interface GoalRow {
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
  const rounds = await log
    .where('type', '=', 'user/message')
    .where('seq', '>', first.seq)
    .where('data', 'like', '%"kind":"goal"%')
    .execute();
  return goalFacts([...changes, ...rounds].toSorted((a, b) => a.seq - b.seq));
}

/** What rows say of goals: changes, and messages of rounds; they were validated when they were written. */
export function goalFacts(rows: readonly GoalRow[]): GoalFact[] {
  return rows.flatMap(({ type, data }): GoalFact[] => {
    if (type === 'goal/change') return [{ kind: 'change', change: JSON.parse(data) as GoalChange }];
    const { source } = JSON.parse(data) as { source: GoalSource | { kind: 'user' } };
    return source.kind === 'goal' ? [{ kind: 'round', source }] : [];
  });
}
