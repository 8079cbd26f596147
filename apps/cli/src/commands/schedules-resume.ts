import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { changeSchedule } from '../schedules/change-schedule.ts';

/** `schedules resume <schedule>`. */
export function addSchedulesResume(schedules: Command, context: Context): void {
  schedules
    .command('resume')
    .argument('<schedule>')
    .description('Let a schedule fire at its times again')
    .option('--note <text>', 'why, for people')
    .option('--json', 'print it as JSON')
    .action((schedule: string, { note, json }: { note?: string; json?: true }) =>
      changeSchedule(context, { schedule, part: 'unpause', body: { note }, json }),
    );
}
