import { disarmReminders } from './arm-reminders.ts';
import { condition } from '@temporalio/workflow';
import { releaseHost } from './release-host.ts';
import { publishLive } from './publish-live.ts';
import { writeRecord } from './session-records.ts';
import { errandsDone } from './session-errands.ts';
import { writeFacts } from './session-facts.ts';
import { discard, dropAll } from './session-queue.ts';
import { describeSession } from './session-details.ts';
import type { SessionState } from './session-state.ts';

/** The last commit of a session's life; its log stays readable. */
export async function closeLog(session: SessionState): Promise<void> {
  dropAll(session);
  discard(session, session.injected.splice(0));
  if (session.commands.length > 0) await condition(() => session.commands.length === 0);
  while (session.records.length > 0) await writeRecord(session);
  if (session.facts.length > 0) await writeFacts(session);
  disarmReminders(session);
  await releaseHost(session);
  session.writer.change({ status: 'closed', queueLength: 0 });
  describeSession(session, 'closed');
  await session.writer.flush();
  await errandsDone(session);
  publishLive(session, { kind: 'agent/disposed' });
}
