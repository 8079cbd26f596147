import { isReminderError, type ReminderReply } from '@everturn/core/domain';
import { jsonText, orchestrateTool, requireReminders } from '../kit/index.ts';
import { scheduleDelete } from './schema.ts';

/** Disarms a reminder, or says that there is none. */
export const orchestrateScheduleDelete = orchestrateTool(scheduleDelete, async ({ id }, context) => {
  const reminders = requireReminders(context);
  if (isReminderError(reminders)) return { events: [], output: { content: [jsonText(reminders)] } };
  const reply = await reminders.ask({ operation: 'delete', id });
  return { events: [], output: { content: [jsonText(answerOf(id, reply))] } };
});

function answerOf(id: string, reply: ReminderReply | undefined): object {
  switch (reply?.kind) {
    case 'deleted':
      return { id, deleted: true };
    case 'not-found':
      return { id, deleted: false, code: 'schedule_not_found' };
    case 'refused':
      return reply.error;
    default:
      return {
        code: 'persistence_uncertain',
        message: 'the call was stopped before it was known whether the reminder was deleted; list them',
        operation: 'delete',
        id,
      };
  }
}
