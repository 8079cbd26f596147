import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { ReminderReceipt } from '../platform/schedule-shapes.ts';
import { reminderBody, type ReminderOptions } from '../schedules/reminder-body.ts';
import { inertLine } from '../terminal/inert.ts';

/** `reminders create <session> <prompt>`. */
export function addRemindersCreate(reminders: Command, context: Context): void {
  reminders
    .command('create')
    .argument('<session>')
    .argument('<prompt>', 'what the agent is told then')
    .description('Have a session reminded, once nothing else runs in it')
    .option('--after <seconds>', 'once, so long from now')
    .option('--every <seconds>', 'again and again; at least 300')
    .option(
      '--at <time>',
      'once, at an instant with its offset, or, with --time-zone, at a time such as 2026-05-01T09:00',
    )
    .option('--time-zone <name>', 'whose clocks show the time of --at: UTC or a name such as Europe/Berlin')
    .option('--json', 'print the receipt as JSON')
    .action(async (session: string, prompt: string, { json, ...options }: ReminderOptions & { json?: true }) => {
      const path = sessionPath(session, 'reminders');
      const request = {
        method: 'POST' as const,
        path,
        body: reminderBody(prompt, options),
        idempotencyKey: randomUUID(),
      };
      const receipt = await context.api().json(request, ReminderReceipt);
      if (json) return context.printJson(receipt);
      const { reminder } = receipt;
      const due = reminder && `${inertLine(reminder.id, 40)}: due ${inertLine(reminder.scheduledAt, 30)}`;
      context.print(due ?? `kept; the session will find it (request ${receipt.requestId})`);
    });
}
