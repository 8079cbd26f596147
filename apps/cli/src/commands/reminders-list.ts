import type { Command } from 'commander';
import { sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { ReminderList } from '../platform/schedule-shapes.ts';
import { inertLine } from '../terminal/inert.ts';
import { table } from '../terminal/table.ts';

/** `reminders list <session>`. */
export function addRemindersList(reminders: Command, context: Context): void {
  reminders
    .command('list')
    .argument('<session>')
    .description('List what a session is still to be reminded of')
    .option('--json', 'print the list as JSON')
    .action(async (session: string, { json }: { json?: true }) => {
      const list = await context.api().json({ path: sessionPath(session, 'reminders') }, ReminderList);
      if (json) return context.printJson(list);
      if (list.reminders.length === 0) return context.print('no reminders');
      const rows = list.reminders.map(({ id, state, scheduledAt, everySeconds, prompt }) => [
        inertLine(id, 40),
        inertLine(state, 20),
        inertLine(scheduledAt, 30),
        everySeconds === undefined ? 'once' : `every ${everySeconds} s`,
        inertLine(prompt, 80),
      ]);
      const [head = '', ...lines] = table([['REMINDER', 'STATE', 'NEXT', 'HOW OFTEN', 'PROMPT'], ...rows]);
      context.print(context.style.dim(head));
      for (const line of lines) context.print(line);
    });
}
