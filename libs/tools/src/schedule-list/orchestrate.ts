import { isReminderError } from '@everturn/core/domain';
import { jsonText, orchestrateTool, requireReminders } from '../kit/index.ts';
import { scheduleList } from './schema.ts';

/** Lists what is armed, as it stands now. */
export const orchestrateScheduleList = orchestrateTool(scheduleList, async (_args, context) => {
  const reminders = requireReminders(context);
  if (isReminderError(reminders)) return { events: [], output: { content: [jsonText(reminders)] } };
  const reply = await reminders.ask({ operation: 'list' });
  if (!reply) throw new Error('the call was stopped before the reminders were known');
  const answer = reply.kind === 'listed' ? reply.reminders : reply.kind === 'refused' ? reply.error : [];
  return { events: [], output: { content: [jsonText(answer)] } };
});
