import { COMPACTION_SOURCE } from '@everturn/core/domain';
import { runAsTurn } from './run-turn.ts';
import type { SessionState } from './session-state.ts';

/** Shortens the history as somebody asked: a turn without steps, whose workflow asks the model for a summary. */
export async function runCompaction(session: SessionState): Promise<void> {
  const requestId = session.compaction;
  delete session.compaction;
  if (!requestId) return;
  const message = { requestId, kind: 'injection' as const, content: [], source: COMPACTION_SOURCE, preview: 'compact' };
  await runAsTurn(session, message, { purpose: 'compact' });
}
