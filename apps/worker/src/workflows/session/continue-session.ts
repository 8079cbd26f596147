import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { continueAsNewDue } from '@everturn/core/domain';
import type { SessionInput } from '@everturn/core/protocol';
import { carryDesk } from './team/open-desk.ts';
import type { SessionState } from './session-state.ts';

/** Moves a session to a fresh history between two turns, with nothing unacknowledged. */
export async function continueSessionIfDue(session: SessionState): Promise<void> {
  if (!isContinuationDue(session)) return;
  await session.writer.flush();
  await condition(allHandlersFinished);
  // What came while we committed: the next run would not know of it.
  if (!mayContinue(session) || session.writer.dirty) return;
  const { generation, queue, parked, instance, requests, usage } = session;
  const { isolation, title, model, searchAttributes, wakes, compaction, reminders, goal } = session;
  const { children, activation, dealtWith, parent, renames } = session;
  await continueAsNew<(input: SessionInput) => Promise<void>>({
    ...session.input,
    carried: {
      generation,
      nextEvent: session.writer.log.state().next,
      highestAcknowledged: session.writer.highestAcknowledged,
      turn: session.lastTurn,
      queue,
      parked,
      instance,
      recentRequests: requests.recent(),
      usage,
      isolation,
      title,
      model,
      searchAttributes,
      ...(session.knobs && { knobs: session.knobs }),
      ...(session.permissions && { permissions: session.permissions }),
      permissionUpdates: session.permissionUpdates,
      wakes,
      ...(compaction && { compaction }),
      ...(reminders && { reminders }),
      ...(goal && { goal }),
      ...(Object.keys(children).length > 0 && { children }),
      ...(activation && { activation }),
      ...(parent && { parent }),
      ...(dealtWith.length > 0 && { dealtWith }),
      ...(renames.length > 0 && { renames }),
      ...(session.team && { team: carryDesk(session.team) }),
    },
  });
}

/** Whether a session should move to a fresh history, and can. */
export const isContinuationDue = (session: SessionState): boolean => mayContinue(session) && isDue(session);

/** Nothing is in hand that the next run would not be given. */
const mayContinue = (session: SessionState): boolean => {
  const { closing, errands, injected, endedJobs, records, commands, facts, settlements } = session;
  const inHand = [injected, endedJobs, records, commands, facts, settlements];
  return !closing && errands === 0 && inHand.every(({ length }) => length === 0);
};

function isDue({ updates, signals }: SessionState): boolean {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  return continueAsNewDue({
    use: { updates, signals, events: historyLength, bytes: historySize, continueAsNewSuggested },
    task: historyLength > 3 ? 'later' : 'first',
    inFlight: 0,
  });
}
