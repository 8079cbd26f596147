import { disarmReminders } from './arm-reminders.ts';
import { condition, patched } from '@temporalio/workflow';
import { releaseHost } from './release-host.ts';
import { publishLive } from './publish-live.ts';
import { writePermissions } from './session-permissions.ts';
import { writeRecord } from './session-records.ts';
import { errandsDone } from './session-errands.ts';
import { writeFacts } from './session-facts.ts';
import { discard, dropAll } from './session-queue.ts';
import { keepUnread, writeSettlements } from './session-children.ts';
import { describeSession } from './session-details.ts';
import type { SessionState } from './session-state.ts';
import { writeTitles } from './session-title.ts';

/** The last commit of a session's life; its log stays readable. */
export async function closeLog(session: SessionState): Promise<void> {
  keepUnread(session);
  dropAll(session);
  discard(session, session.injected.splice(0));
  await writeSettlements(session);
  if (session.commands.length > 0) await condition(() => session.commands.length === 0);
  await writeChanges(session);
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

/** What people changed and no turn has written: they were told that it is taken. */
async function writeChanges(session: SessionState): Promise<void> {
  const { permissionUpdates, renames } = session;
  if (permissionUpdates.length + renames.length === 0 || !patched('changes-at-close')) return;
  if (permissionUpdates.length > 0) await writePermissions(session);
  if (renames.length > 0) await writeTitles(session);
}
