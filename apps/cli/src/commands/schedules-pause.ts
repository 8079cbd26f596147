import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { changeSchedule } from '../schedules/change-schedule.ts';

/** `schedules pause <schedule>`. */
export function addSchedulesPause(schedules: Command, context: Context): void {
  schedules
    .command('pause')
    .argument('<schedule>')
    .description('Let a schedule fire only when it is triggered')
    .option('--note <text>', 'why, for people')
    .option('--json', 'print it as JSON')
    .action((schedule: string, { note, json }: { note?: string; json?: true }) =>
      changeSchedule(context, { schedule, part: 'pause', body: { note }, json }),
    );
}
