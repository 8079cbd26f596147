import { patched, workflowInfo, type ChildWorkflowFailure } from '@temporalio/workflow';
import { errorChain, type MessageEntry } from '@everturn/core/domain';
import type { RecoverResult } from '../../contract/index.ts';
import { recover } from '../proxies.ts';
import { publishLive } from './publish-live.ts';
import { factsSettled } from './session-facts.ts';
import { returnUnused } from './return-unused.ts';
import { discard } from './session-queue.ts';
import { reopenKnobs } from './session-knobs.ts';
import { reopenPermissions } from './session-permissions.ts';
import { openWriter, sessionRef, type SessionState } from './session-state.ts';

/** A message that brings its turn down this often is given up. */
const MOST_ATTEMPTS = 3;

/** After a turn's workflow died: close it in the log under a new generation, and go on with the queue. */
export async function recoverTurn(
  session: SessionState,
  /** What the turn answers; absent where there is nothing to try again. */
  message: MessageEntry | undefined,
  failure: ChildWorkflowFailure,
): Promise<RecoverResult> {
  const turn = session.lastTurn;
  publishLive(session, { kind: 'agent/error', turn, step: 0, message: errorChain(failure) });
  const result = await recover({
    ...sessionRef(session),
    turn,
    cause: errorChain(failure),
    runId: workflowInfo().runId,
  });
  session.generation = result.generation;
  await factsSettled(session); // what is fenced off by now comes back
  session.lastTurn = result.lastTurn;
  reopenPermissions(session, result.permissions);
  reopenKnobs(session, result.knobs);
  openWriter(session, 0, result.highestAcknowledged);
  if (message && !isKnown(message, result)) tryAgain(session, message);
  returnUnused(session, { consumed: result.consumed, discarded: [] });
  return result;
}

/** Whether the dead turn wrote it; what no client sent has no row that says so. */
const isKnown = ({ requestId, facts }: MessageEntry, { consumed, admitted }: RecoverResult): boolean =>
  consumed.includes(requestId) || (facts !== undefined && admitted === true);

function tryAgain(session: SessionState, message: MessageEntry): void {
  if (session.running?.cancelled && patched('cancelled-is-not-tried-again')) return discard(session, [message]);
  const attempts = (session.attempts[message.requestId] ?? 0) + 1;
  session.attempts[message.requestId] = attempts;
  const { queued, steering } = session.queue;
  if (attempts < MOST_ATTEMPTS) session.queue = { queued: [message, ...queued], steering };
  else discard(session, [message]);
}
