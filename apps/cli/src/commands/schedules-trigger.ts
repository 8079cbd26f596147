import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { changeSchedule } from '../schedules/change-schedule.ts';

/** `schedules trigger <schedule>`. */
export function addSchedulesTrigger(schedules: Command, context: Context): void {
  schedules
    .command('trigger')
    .argument('<schedule>')
    .description('Fire now, whatever the times say, also while it is paused')
    .option('--overlap <policy>', 'while the turn of an earlier firing runs; default: as the schedule has it')
    .option('--json', 'print it as JSON')
    .action((schedule: string, { overlap, json }: { overlap?: string; json?: true }) =>
      changeSchedule(context, { schedule, part: 'trigger', body: { overlap }, json }),
    );
}
