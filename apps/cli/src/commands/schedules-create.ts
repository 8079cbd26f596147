import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { Schedule } from '../platform/schedule-shapes.ts';
import { definitionOf, type DefinitionOptions } from '../schedules/definition-of.ts';
import { scheduleLines } from '../view/schedule-lines.ts';

interface CreateOptions extends DefinitionOptions {
  paused?: true;
  note?: string;
  json?: true;
}

const several = (value: string, before: string[] = []): string[] => [...before, value];

/** `schedules create <schedule> <prompt>`. */
export function addSchedulesCreate(schedules: Command, context: Context): void {
  schedules
    .command('create')
    .argument('<schedule>', 'its name: letters, digits, . _ or -')
    .argument('<prompt>', 'the message of each firing')
    .description('Say a prompt at times, to one session or to a new one each time')
    .option('--cron <expression>', 'when, such as "0 9 * * MON-FRI"; may be given again', several)
    .option('--every <seconds>', 'when, counted from the epoch; may be given again', several)
    .option('--calendar <json>', 'when, such as \'{"hour": 9, "dayOfWeek": "MONDAY"}\'; may be given again', several)
    .option('--time-zone <name>', 'where cron and calendars are read, such as Europe/Berlin; default UTC')
    .option('--jitter <seconds>', 'fire at random up to so much later')
    .option('--start <instant>', 'not before, such as 2030-01-01T00:00:00Z')
    .option('--end <instant>', 'not after')
    .option('-s, --session <id>', 'who gets it; without it each firing begins a new session')
    .option('-w, --workspace <folder>', 'where new sessions work')
    .option('--provider <id>', 'the provider of new sessions')
    .option('--model <id>', 'the model of new sessions')
    .option(
      '--overlap <policy>',
      'while the turn of an earlier firing runs: skip (default), buffer-one, buffer-all, allow-all, cancel-other, terminate-other',
    )
    .option('--catch-up <seconds>', 'make up for firings an outage missed if they are no older; default 60')
    .option('--paused', 'make it, but let it fire only when triggered')
    .option('--note <text>', 'why, for people')
    .option('--json', 'print it as JSON')
    .action(async (id: string, prompt: string, { paused, note, json, ...options }: CreateOptions) => {
      const body = { id, definition: definitionOf(prompt, options), paused, note };
      const schedule = await context.api().json({ method: 'POST', path: '/v1/schedules', body }, Schedule);
      if (json) return context.printJson(schedule);
      for (const line of scheduleLines(schedule, context.style)) context.print(line);
    });
}
