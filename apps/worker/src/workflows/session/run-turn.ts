import { ChildWorkflowFailure } from '@temporalio/common';
import { activate, claimMessage, type MessageEntry } from '@everturn/core/domain';
import type { TurnInput, TurnResult } from '../../contract/index.ts';
import { isPermanent } from '../shared/is-permanent.ts';
import { beginAnew } from './begin-anew.ts';
import { recoverTurn } from './recover-turn.ts';
import { describeSession } from './session-details.ts';
import { heardFromPerson } from './session-jobs.ts';
import { factsSettled } from './session-facts.ts';
import { returnUnused } from './return-unused.ts';
import { takeBackKnobs } from './session-knobs.ts';
import { markWritten } from './session-permissions.ts';
import type { SessionState } from './session-state.ts';
import { settleGoal } from './settle-goal.ts';
import { announceActivation } from './settle-session.ts';
import { cameToRest } from './team/keep-team.ts';
import { startTurn } from './start-turn.ts';
import { payOwed, takeTitleDue } from './title-by-model.ts';

/** Runs one queued message as a turn, and takes back what the turn did not use. */
export async function runTurn(session: SessionState): Promise<void> {
  const { queue, entry: message } = claimMessage(session.queue);
  if (!message) return;
  session.queue = queue;
  await runMessage(session, message);
}

/** Runs a message as a turn, past the queue. */
export async function runMessage(session: SessionState, message: MessageEntry): Promise<void> {
  heardFromPerson(session, [message]);
  const anew = beginAnew(session, message.requestId) === 'begun';
  if (session.activation && !anew) session.activation = activate(session.activation, undefined);
  announceActivation(session);
  await runAsTurn(session, message);
}

/** Runs a turn for a message, or for what `about` says. */
export async function runAsTurn(
  session: SessionState,
  message: MessageEntry,
  about: Pick<TurnInput, 'purpose'> = {},
): Promise<void> {
  const turn = await startTurn(session, message, about);
  describeSession(session, 'running');
  try {
    const result = await turn.result();
    await factsSettled(session);
    takeBack(session, result);
    settleGoal(session, message, result);
  } catch (error) {
    if (!(error instanceof ChildWorkflowFailure) || isPermanent(error)) throw error;
    // A round of a goal is not tried again by itself.
    const again = about.purpose || message.source.kind === 'goal' ? undefined : message;
    const { admitted } = await recoverTurn(session, again, error);
    settleGoal(session, message, { reason: { kind: 'interrupted' }, ...(admitted && { admitted }) });
  } finally {
    delete session.running;
    payOwed(session);
    cameToRest(session, session.input.session);
  }
}

function takeBack(session: SessionState, result: TurnResult): void {
  const { highestAcknowledged } = result;
  session.instance = result.instance;
  session.usage = result.usage;
  if (session.titled === 'by-turns') session.title = result.title ?? session.title;
  session.renames = session.renames.filter(({ requestId }) => !result.consumed.includes(requestId));
  markWritten(session);
  session.permissionUpdates = session.permissionUpdates.filter(({ requestId }) => !result.consumed.includes(requestId));
  session.records = session.records.filter(({ requestId }) => !result.consumed.includes(requestId));
  if (result.titleDue) takeTitleDue(session, result.titleDue);
  takeBackKnobs(session, result);
  session.model = result.instance.header?.config.model ?? session.model;
  session.writer.takeOver([], undefined, highestAcknowledged);
  if (session.writer.log.open.turn === undefined)
    session.writer.log.observe({ type: 'turn/start', turn: session.lastTurn });
  session.writer.log.observe({ type: 'turn/end', turn: session.lastTurn });
  returnUnused(session, result);
}
