import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../platform/context.ts';
import { schedulePath } from '../platform/schedule-shapes.ts';
import { inertLine } from '../terminal/inert.ts';

/** `schedules delete <schedule>`. */
export function addSchedulesDelete(schedules: Command, context: Context): void {
  schedules
    .command('delete')
    .argument('<schedule>')
    .description('Delete a schedule; firings that began go on')
    .action(async (id: string) => {
      await context.api().json({ method: 'DELETE', path: schedulePath(id) }, z.undefined());
      context.print(`deleted: ${inertLine(id, 64)}`);
    });
}
