import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { Schedule, schedulePath } from '../platform/schedule-shapes.ts';
import { scheduleLines } from '../view/schedule-lines.ts';

/** `schedules show <schedule>`. */
export function addSchedulesShow(schedules: Command, context: Context): void {
  schedules
    .command('show')
    .argument('<schedule>')
    .description('Show what a schedule is, when it fired and when it will')
    .option('--json', 'print it as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const schedule = await context.api().json({ path: schedulePath(id) }, Schedule);
      if (json) return context.printJson(schedule);
      for (const line of scheduleLines(schedule, context.style)) context.print(line);
    });
}
