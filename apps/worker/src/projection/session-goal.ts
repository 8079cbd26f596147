import { foldGoal, type GoalState } from '@everturn/core/domain';
import { readGoalFacts } from '@everturn/core/postgres';
import type { SessionRef } from '../contract/index.ts';
import type { Projection } from './projection.ts';

/** The goal a log leaves behind, disarmed; none where it never had one, or contradicts itself. */
export async function sessionGoal(
  { database }: Projection,
  ref: Pick<SessionRef, 'tenant' | 'session'>,
): Promise<GoalState | undefined> {
  const facts = await readGoalFacts(database, ref);
  const goal = foldGoal(facts);
  return facts.length === 0 || typeof goal === 'string' ? undefined : goal;
}
