import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { ReminderReceipt } from '../platform/schedule-shapes.ts';
import { inertLine } from '../terminal/inert.ts';

/** `reminders delete <session> <reminder>`. */
export function addRemindersDelete(reminders: Command, context: Context): void {
  reminders
    .command('delete')
    .argument('<session>')
    .argument('<reminder>', 'such as schedule-1')
    .description('Delete a reminder, so that it does not come any more')
    .action(async (session: string, reminder: string) => {
      const path = sessionPath(session, `reminders/${encodeURIComponent(reminder)}`);
      await context.api().json({ method: 'DELETE', path, idempotencyKey: randomUUID() }, ReminderReceipt);
      context.print(`deleted: ${inertLine(reminder, 40)}`);
    });
}
