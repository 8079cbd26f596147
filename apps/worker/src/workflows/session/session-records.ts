import type { SessionRecord } from '../../contract/index.ts';
import { writeUnwritten } from './session-permissions.ts';
import type { SessionState } from './session-state.ts';

/** Has events written that only the log is to have: by the turn that runs, else in one without steps. */
export function record(session: SessionState, entry: SessionRecord): void {
  session.records.push(entry);
  session.running?.send('record', entry);
}

/** Writes the next of them as a turn without steps, because every event stands in a turn. */
export async function writeRecord(session: SessionState): Promise<void> {
  const entry = session.records.shift();
  if (!entry) return;
  const turn = session.lastTurn + 1;
  session.lastTurn = turn;
  const { writer } = session;
  writer.append('turn/start', { turn, trigger: entry.trigger });
  writeUnwritten(session);
  for (const { type, data } of entry.events) writer.append(type, data as never); // a right pair, as each event is
  writer.append('turn/end', { turn, reason: { kind: 'completed' } });
  await writer.flush();
}
