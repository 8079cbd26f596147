import { sql } from 'kysely';
import type { OpenLogInput, OpenLogResult } from '../contract/index.ts';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';
import { raiseGeneration, type FoundLog } from './raise-generation.ts';

/** Nobody writes a closed log, so that its generation stays. */
class IsClosed extends Error {}

/**
 * A run that was reset has forgotten what its log tells and is sent every message again: it does nothing, and the session
 * stays broken until somebody resumes it. What turns of it still run write no more, or they would show it as at work.
 */
export async function breakReset(
  projection: Projection,
  { tenant, session, runId }: OpenLogInput,
): Promise<Extract<OpenLogResult, { kind: 'refused' }>> {
  const { database, notifier } = projection;
  const judge = ({ status, closed }: FoundLog) => (closed || status === 'closed' ? new IsClosed() : 'raise');
  try {
    await raiseGeneration(projection, { tenant, session, raisedBy: runId, judge });
  } catch (error) {
    if (!(error instanceof Error && error.cause instanceof IsClosed)) throw error;
  }
  await asProjectionError(() =>
    database
      .updateTable('sessions')
      .set({ status: 'broken', open_turn: null, updated_at: sql<Date>`clock_timestamp()` })
      .where('tenant', '=', tenant)
      .where('id', '=', session)
      .where('status', '<>', 'closed')
      .execute(),
  );
  notifier.notify([{ tenant, session }]);
  const message = `session ${session} was reset in Temporal; run \`everturn session recover ${session}\``;
  return { kind: 'refused', code: 'SESSION_RESET', message };
}
