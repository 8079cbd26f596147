import type { RenameSession } from '@everturn/core/protocol';
import { writeUnwritten } from './session-permissions.ts';
import type { SessionState } from './session-state.ts';

/** Takes a title of a person: the turn that runs writes it; without one it gets a turn of its own. */
export function renameSession(session: SessionState, rename: RenameSession): void {
  session.title = rename.title;
  session.titled = 'by-person';
  session.titling?.request();
  session.renames.push(rename);
  session.running?.send('rename', rename);
}

/** Writes what no turn has written, as a turn without steps, because every event stands in a turn. */
export async function writeTitles(session: SessionState): Promise<void> {
  const renames = session.renames.splice(0);
  const turn = session.lastTurn + 1;
  session.lastTurn = turn;
  const { writer } = session;
  writer.append('turn/start', { turn, trigger: { kind: 'session-title' } });
  writeUnwritten(session);
  for (const { title } of renames) writer.append('session/title', { title, messageSeqs: [], source: { kind: 'user' } });
  writer.append('turn/end', { turn, reason: { kind: 'completed' } });
  await writer.flush();
}
