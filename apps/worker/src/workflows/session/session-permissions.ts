import { changePermissions } from '@everturn/core/domain';
import type { OpenPermissions, SetPermissions } from '@everturn/core/protocol';
import { appendFacts, appendNotice, PERMISSION_SOURCE } from '../turn/turn-permissions.ts';
import type { SessionState } from './session-state.ts';

/** Takes a change: it holds at once, also for the turn that runs, which writes it; without one it gets a turn of its own. */
export function setPermissions(session: SessionState, { requestId, change }: SetPermissions): void {
  if (!session.permissions) {
    session.earlyChanges.push({ requestId, change });
    return;
  }
  const { permissions, facts, notices } = changePermissions(session.permissions.now, change);
  if (facts.length === 0) return;
  session.permissions = { ...session.permissions, now: permissions };
  const update = { requestId, permissions, facts, notices };
  session.permissionUpdates.push(update);
  session.running?.send('permissions', update);
}

/** The log is open: what was asked for before holds now. */
export function takeEarlyChanges(session: SessionState): void {
  for (const request of session.earlyChanges.splice(0)) setPermissions(session, request);
}

/** Writes what no turn has written, as a turn without steps, because every event stands in a turn. */
export async function writePermissions(session: SessionState): Promise<void> {
  const updates = session.permissionUpdates.splice(0);
  const turn = session.lastTurn + 1;
  session.lastTurn = turn;
  const { writer } = session;
  writer.append('turn/start', { turn, trigger: { kind: 'injection', source: PERMISSION_SOURCE } });
  writeUnwritten(session);
  for (const { facts, notices } of updates) {
    appendFacts(writer, facts);
    for (const notice of notices) appendNotice(writer, notice);
  }
  writer.append('turn/end', { turn, reason: { kind: 'completed' } });
  await writer.flush();
}

/** Writes, in a turn of the session's own, what is fixed at creation; the first turn of any kind has it. */
export function writeUnwritten(session: SessionState): void {
  appendFacts(session.writer, session.permissions?.unwritten ?? []);
  markWritten(session);
}

/** The log says what is fixed at creation. */
export function markWritten(session: SessionState): void {
  if (session.permissions) session.permissions = { ...session.permissions, unwritten: [] };
}

/** After a turn's workflow died: what its part of the log says counts, and changes it had not written stay to be written. */
export function reopenPermissions(session: SessionState, found: OpenPermissions | undefined): void {
  if (!session.permissions || !found) return;
  session.permissions = { now: session.permissions.now, unwritten: found.unwritten };
}
