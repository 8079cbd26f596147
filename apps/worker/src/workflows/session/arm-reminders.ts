import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { getExternalWorkflowHandle, ParentClosePolicy, patched, startChild } from '@temporalio/workflow';
import { isReminderError, type ArmedReminder, type ReminderId } from '@everturn/core/domain';
import {
  REMINDER_WORKFLOW,
  reminderWorkflowId,
  WORKFLOW_TASK_TIMEOUT_MS,
  type ReminderInput,
} from '@everturn/core/protocol';
import { identityAttributes } from '../shared/search-attributes.ts';
import { errand } from './session-errands.ts';
import type { SessionState } from './session-state.ts';

/** Winds up the clock of a reminder; one that runs already, from an earlier life of the session, is told to go on. */
export function armReminder(session: SessionState, { reminder, dueAt }: ArmedReminder): void {
  const { session: id, tenant } = session.input;
  const preview = Array.from(reminder.prompt).slice(0, 80).join('');
  const input: ReminderInput = {
    session: id,
    tenant,
    id: reminder.id,
    dueAt,
    ...(reminder.kind === 'every' && { everyMs: reminder.everySeconds * 1000 }),
    preview,
  };
  errand(session, async () => {
    // It may end, by what the life before told it, just when it is told to go on.
    while ((await start(session, input)) === 'runs' && patched('rearm-reminder') && (await goOn(input)) === 'gone');
  });
}

/** `runs`: it was started by an earlier life of the session. */
async function start(session: SessionState, input: ReminderInput): Promise<'started' | 'runs'> {
  try {
    await startChild<(input: ReminderInput) => Promise<void>>(REMINDER_WORKFLOW, {
      workflowId: reminderWorkflowId(input.session, input.id),
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
      staticSummary: input.preview,
      ...identityAttributes(session.searchAttributes, session.input),
    });
    return 'started';
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return 'runs';
  }
}

/** Takes back what the life before may have told it; in order, so that a clock which has not heard that yet goes on. */
async function goOn({ session, id }: ReminderInput): Promise<'told' | 'gone'> {
  return getExternalWorkflowHandle(reminderWorkflowId(session, id))
    .signal('arm')
    .then(
      () => 'told',
      () => 'gone',
    );
}

/** Stops the clock of a reminder; one that has run down needs no telling. */
export function disarmReminder(session: SessionState, id: ReminderId): void {
  const clock = getExternalWorkflowHandle(reminderWorkflowId(session.input.session, id));
  errand(session, () => clock.signal('disarm').catch(() => undefined));
}

/** Winds up all of them: a life of the session begins. */
export function armReminders(session: SessionState): void {
  for (const armed of armedIn(session)) armReminder(session, armed);
}

/** Stops all of them: the session closes. Its log keeps them for its next life. */
export function disarmReminders(session: SessionState): void {
  for (const { reminder } of armedIn(session)) disarmReminder(session, reminder.id);
}

const armedIn = ({ reminders }: SessionState): readonly ArmedReminder[] =>
  reminders && !isReminderError(reminders) ? reminders.armed : [];
