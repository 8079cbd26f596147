import { poll } from '../../process/poll.ts';
import type { Application } from './application.ts';
import type { Servers } from './servers.ts';

/** How often the log is asked, in ms; one small query for all sessions. */
const everyMs = 20;

/**
 * Runs the first turn of fresh sessions beside one another with no client that follows them, so that what is measured
 * is the work and not its audience. Resolves when all have completed; throws when one ended otherwise.
 */
export async function runUnwatched({ database }: Servers, { api }: Application, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => api.prompt(id)));
  const ends = await poll(
    async () => {
      const rows = await database
        .selectFrom('session_events')
        .select(['session_id', 'data'])
        .where('session_id', 'in', ids)
        .where('type', '=', 'turn/end')
        .execute();
      return rows.length === ids.length ? rows : undefined;
    },
    15 * 60_000,
    everyMs,
  );
  if (!ends) throw new Error(`not every turn of ${ids.length} sessions ended within 15 minutes`);
  const other = ends.find(({ data }) => !data.includes('"kind":"completed"'));
  if (other) throw new Error(`a turn of session ${other.session_id} ended with ${other.data}`);
}
