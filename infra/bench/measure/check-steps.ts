import type { Servers } from '../stack/servers.ts';

/** Throws unless each session took as many steps as its plan says: cost is divided by the plan, not by the log. */
export async function checkSteps({ database }: Servers, ids: readonly string[], stepsEach: number): Promise<void> {
  const counted = await database
    .selectFrom('session_events')
    .select(({ fn }) => ['session_id', fn.countAll<string>().as('steps')])
    .where('session_id', 'in', ids)
    .where('type', '=', 'step/start')
    .groupBy('session_id')
    .execute();
  const other = counted.find(({ steps }) => Number(steps) !== stepsEach);
  if (other) throw new Error(`session ${other.session_id} took ${other.steps} steps, and its plan says ${stepsEach}`);
}
