import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { changeSchedule } from '../schedules/change-schedule.ts';

interface BackfillOptions {
  start: string;
  end: string;
  overlap?: string;
  json?: true;
}

/** `schedules backfill <schedule> --start … --end …`. */
export function addSchedulesBackfill(schedules: Command, context: Context): void {
  schedules
    .command('backfill')
    .argument('<schedule>')
    .description('Fire for each of its times in a time that is past')
    .requiredOption('--start <instant>', 'such as 2026-01-05T00:00:00Z')
    .requiredOption('--end <instant>', 'such as 2026-01-06T00:00:00Z')
    .option('--overlap <policy>', 'default buffer-all: one after the other')
    .option('--json', 'print it as JSON')
    .action((schedule: string, { json, ...body }: BackfillOptions) =>
      changeSchedule(context, { schedule, part: 'backfill', body, json }),
    );
}
