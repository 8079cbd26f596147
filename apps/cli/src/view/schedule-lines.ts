import type { Schedule } from '../platform/schedule-shapes.ts';
import { inertLine } from '../terminal/inert.ts';
import type { Style } from '../terminal/style.ts';

/** A schedule as lines, each inert. */
export function scheduleLines(schedule: Schedule, style: Style): string[] {
  const { id, definition, paused, note, firings, skipped, running, recent, next } = schedule;
  const rows: [string, string][] = [
    ['schedule', id],
    ['state', `${paused ? 'paused' : 'active'}${note === undefined ? '' : ` (${note})`}`],
    ['prompt', definition.prompt],
    ['goes to', definition.session ?? 'a new session each time'],
    ['overlap', definition.overlap],
    ['fired', `${firings} times, ${skipped} left out`],
    ...recent.slice(-5).map(({ startedAt, workflowId }): [string, string] => ['', `${startedAt}  ${workflowId}`]),
    ...running.map((workflowId): [string, string] => ['runs', workflowId]),
    ['next', next.slice(0, 3).join(', ') || 'never'],
  ];
  return rows.map(([name, value]) => `  ${style.bold(name.padEnd(10))} ${inertLine(value, 400)}`);
}
