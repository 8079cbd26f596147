import type { GoalChange, GoalFact, GoalSource, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** What a session's log says of its goals, oldest first: changes, and the messages of rounds. */
export async function readGoalFacts(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<GoalFact[]> {
  const log = database
    .selectFrom('session_events')
    .select(['seq', 'data'])
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
  // Validated when they were written.
  const facts = [
    ...changes.map(({ seq, data }) => ({
      seq,
      fact: { kind: 'change', change: JSON.parse(data) as GoalChange } as GoalFact,
    })),
    ...rounds.flatMap(({ seq, data }) => {
      const { source } = JSON.parse(data) as { source: GoalSource | { kind: 'user' } };
      return source.kind === 'goal' ? [{ seq, fact: { kind: 'round', source } as GoalFact }] : [];
    }),
  ];
  return facts.toSorted((a, b) => a.seq - b.seq).map(({ fact }) => fact);
}
