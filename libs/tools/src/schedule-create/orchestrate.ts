import {
  isReminderError,
  parseArguments,
  readReminderWish,
  type ReminderError,
  type ReminderView,
} from '@everturn/core/domain';
import { jsonText, requireReminders, type Orchestration, type OrchestrationContext } from '../kit/index.ts';
import { scheduleCreate } from './schema.ts';

/** Arms a reminder. Whatever is wrong is an answer and not a failure, so arguments are read here and not by the schema. */
export const orchestrateScheduleCreate: Orchestration = Object.freeze({
  definition: scheduleCreate,
  orchestrate: async (args: unknown, context: OrchestrationContext) => ({
    events: [],
    result: { content: [jsonText(await create(args, context))], isError: false },
  }),
});

async function create(args: unknown, context: OrchestrationContext): Promise<ReminderView | ReminderError> {
  const wish = readReminderWish(typeof args === 'string' ? parseArguments(args) : args);
  if (isReminderError(wish)) return wish;
  const reminders = requireReminders(context);
  if (isReminderError(reminders)) return reminders;
  const { prompt, rule } = wish;
  const at = rule.kind === 'local' ? await reminders.resolve(rule.local) : undefined;
  if (typeof at === 'object') return at;
  const known = rule.kind === 'local' ? { kind: 'at' as const, at: at ?? 0 } : rule;
  const reply = await reminders.ask({ operation: 'create', prompt, rule: known });
  switch (reply?.kind) {
    case 'created':
      return reply.reminder;
    case 'refused':
      return reply.error;
    default:
      return {
        code: 'persistence_uncertain',
        message: 'the call was stopped before it was known whether the reminder was set; list them',
        operation: 'create',
      };
  }
}
