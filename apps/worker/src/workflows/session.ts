import { CancellationScope, condition, patched } from '@temporalio/workflow';
import { nextLookMs } from '@everturn/core/domain';
import type { SessionInput } from '@everturn/core/protocol';
import { closeLog } from './session/close-session.ts';
import { continueSessionIfDue, isContinuationDue } from './session/continue-session.ts';
import { isPermanent } from './shared/is-permanent.ts';
import { markBroken } from './session/mark-broken.ts';
import { onCancel } from './shared/on-cancel.ts';
import { nextTask } from './session/next-task.ts';
import { openSession } from './session/open-session.ts';
import { listenToSteps } from './session/session-desk.ts';
import { writeFactsWhileBusy } from './session/session-facts.ts';
import { listenToClients } from './session/session-handlers.ts';
import { deliverNotices, endJobs, listenToJobs } from './session/session-jobs.ts';
import { runCommands } from './session/session-commands.ts';
import { listenToGoalQueries } from './session/session-goal.ts';
import { listenToTurn } from './session/session-knobs.ts';
import { listenToTitles } from './session/title-by-model.ts';
import { beside } from './session/session-errands.ts';
import { hasOpenChildren, lookAfterChildren } from './session/look-after-children.ts';
import { deliverSettlements, listenToChildren } from './session/session-children.ts';
import { listenToSenders } from './session/withdraw-message.ts';
import { closeSession } from './session/session-queue.ts';
import { listenToReminders } from './session/session-reminders.ts';
import { publishWhileBusy, showIdle } from './session/session-rows.ts';
import { sayGoodbye, settleDue, settleSession } from './session/settle-session.ts';
import { endTeam } from './session/team/keep-team.ts';
import { openState, type SessionState } from './session/session-state.ts';

/** One session for its whole life: takes messages, runs a turn for each, waits at no cost in between. */
export async function sessionWorkflow(input: SessionInput): Promise<void> {
  const session = openState(input);
  const cancelled = onCancel();
  listenToClients(session);
  listenToJobs(session);
  listenToTurn(session);
  listenToTitles(session);
  listenToReminders(session);
  listenToGoalQueries(session);
  listenToSteps(session);
  listenToChildren(session);
  listenToSenders(session);
  return CancellationScope.nonCancellable(async () => {
    cancelled(() => closeSession(session));
    await openSession(session);
    try {
      await live(session);
      await endTeam(session);
      await endJobs(session);
      await closeLog(session);
      await sayGoodbye(session);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      await markBroken(session, error);
    }
  });
}

async function live(session: SessionState): Promise<void> {
  void publishWhileBusy(session);
  beside(session, deliverNotices(session));
  beside(session, writeFactsWhileBusy(session));
  beside(session, runCommands(session));
  beside(session, deliverSettlements(session));
  while (!session.closing) {
    if (session.refusal) throw session.refusal.error;
    const work = nextTask(session);
    if (work) await work();
    else if (session.input.owner?.mode === 'one-shot') closeSession(session);
    else if (settleDue(session)) await settleSession(session);
    else await rest(session);
    await continueSessionIfDue(session);
  }
}

/** Says that nothing runs, and waits until there is something to do or to say. */
async function rest(session: SessionState): Promise<void> {
  await showIdle(session);
  const due = () => nextTask(session) !== undefined || settleDue(session);
  // Signals that leave it nothing to do, as of a reminder while the queue is parked, fill its history all the same.
  const full = () => isContinuationDue(session) && patched('continue-at-rest');
  const ready = () => session.closing || session.refusal !== undefined || due() || session.writer.dirty || full();
  if (!hasOpenChildren(session)) await condition(ready);
  else if (!(await condition(ready, nextLookMs(session.looks)))) await lookAfterChildren(session);
}
