import type { Context } from '../platform/context.ts';
import { Schedule, schedulePath } from '../platform/schedule-shapes.ts';
import { scheduleLines } from '../view/schedule-lines.ts';

export interface ScheduleAction {
  schedule: string;
  part: 'pause' | 'unpause' | 'trigger' | 'backfill';
  body: object;
  json: true | undefined;
}

/** Asks for one of the things that can be done to a schedule, and shows how it stands then. */
export async function changeSchedule(context: Context, { schedule, part, body, json }: ScheduleAction): Promise<void> {
  const path = schedulePath(schedule, part);
  const after = await context.api().json({ method: 'POST', path, body }, Schedule);
  if (json) return context.printJson(after);
  for (const line of scheduleLines(after, context.style)) context.print(line);
}
