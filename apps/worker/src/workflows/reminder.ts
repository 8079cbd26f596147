import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  getExternalWorkflowHandle,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { isInRange, LONGEST_TIMER_MS, nextSlot } from '@everturn/core/domain';
import { sessionWorkflowId, type ReminderDue, type ReminderInput } from '@everturn/core/protocol';
import { describeReminder } from './reminder/reminder-details.ts';
import { onCancel } from './shared/on-cancel.ts';

/** So many slots a run; each takes a handful of events. */
const SLOTS_PER_RUN = 400;

/**
 * The clock of one reminder. It tells its session, whatever that is doing, when the reminder is due, and ends when it is
 * over, or its session is: the next life of the session winds it up again.
 */
export async function reminderWorkflow(input: ReminderInput): Promise<void> {
  let armed = true;
  const disarm = () => {
    armed = false;
  };
  const cancelled = onCancel();
  setHandler(defineSignal('disarm'), disarm);
  // The next life of the session came before this one had heard that the last was over.
  setHandler(defineSignal('arm'), () => {
    armed = true;
  });
  return CancellationScope.nonCancellable(async () => {
    cancelled(disarm);
    let { dueAt } = input;
    for (let slot = 0; isInRange(dueAt); slot += 1) {
      if (slot === SLOTS_PER_RUN || workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof reminderWorkflow>({ ...input, dueAt });
      describeReminder(input, dueAt);
      await waitUntil(dueAt, () => !armed);
      const woke = Date.now();
      if (!armed || (await tell(input, dueAt)) === 'gone' || input.everyMs === undefined) return;
      // A worker that dies over the telling may be away for many slots, of which the session is to hear as well.
      const since = patched('slot-since-waking') ? woke : Date.now();
      dueAt = nextSlot({ dueAt, everyMs: input.everyMs }, since);
    }
  });
}

/** The clock is read again after each wait, so that one that was put back does not fire early. */
async function waitUntil(dueAt: number, over: () => boolean): Promise<void> {
  for (let left = dueAt - Date.now(); left > 0 && !over(); left = dueAt - Date.now())
    await condition(over, Math.min(left, LONGEST_TIMER_MS));
}

async function tell({ session, id }: ReminderInput, dueAt: number): Promise<'told' | 'gone'> {
  return getExternalWorkflowHandle(sessionWorkflowId(session))
    .signal<[ReminderDue]>('reminderDue', { id, dueAt })
    .then(
      () => 'told',
      () => 'gone',
    );
}
