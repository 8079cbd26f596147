import { writeUnwritten } from './session-permissions.ts';
import type { SessionState } from './session-state.ts';

/** Writes one injected context as a turn without steps, because every event stands in a turn. */
export async function runInjection(session: SessionState): Promise<void> {
  const entry = session.injected.shift();
  if (!entry) return;
  const { content, source, meta, requestId } = entry;
  const turn = session.lastTurn + 1;
  session.lastTurn = turn;
  const { writer } = session;
  writer.append('turn/start', { turn, trigger: { kind: 'injection', source } });
  writeUnwritten(session);
  writer.append('context/message', { content, source, ...(meta !== undefined && { meta }) });
  writer.append('turn/end', { turn, reason: { kind: 'completed' } });
  writer.change({
    requests: [{ requestId, outcome: 'accepted' }],
    prompts: [{ promptId: requestId, state: 'done', turn }],
  });
  await writer.flush();
}
