import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { ScheduleList } from '../platform/schedule-shapes.ts';
import { inertLine } from '../terminal/inert.ts';
import { table } from '../terminal/table.ts';

/** `schedules list`. */
export function addSchedulesList(schedules: Command, context: Context): void {
  schedules
    .command('list')
    .description('List schedules; one made a moment ago may be missing yet')
    .option('--json', 'print the list as JSON')
    .action(async ({ json }: { json?: true }) => {
      const list = await context.api().json({ path: '/v1/schedules' }, ScheduleList);
      if (json) return context.printJson(list);
      if (list.schedules.length === 0) return context.print('no schedules');
      const rows = list.schedules
        .toSorted((a, b) => a.id.localeCompare(b.id))
        .map(({ id, paused, next, note = '' }) => [
          inertLine(id, 64),
          paused ? 'paused' : 'active',
          inertLine(next[0] ?? 'never', 30),
          inertLine(note, 80),
        ]);
      const [head = '', ...lines] = table([['SCHEDULE', 'STATE', 'NEXT', 'NOTE'], ...rows]);
      context.print(context.style.dim(head));
      for (const line of lines) context.print(line);
    });
}
