import type { Session, SessionDetails } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { inertLine } from '../terminal/inert.ts';

/** A session's state as lines, each inert. */
export function sessionLines(state: Session & Partial<SessionDetails>, { style, settings }: Context): string[] {
  const { id, status, title, preview, model, workspace, createdAt, queueLength, openTurn, usage, links } = state;
  const used = Object.entries(usage).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const rows: [string, string | undefined][] = [
    ['session', id],
    ['status', `${status}${openTurn === undefined ? '' : `, turn ${openTurn} is open`}`],
    ['about', title || preview],
    ['model', model],
    ['workspace', workspace],
    ['created', createdAt],
    ['queue', `${queueLength} waiting`],
    ...(state.queue ?? []).map(({ promptId, preview: words }): [string, string] => ['', `${promptId}  ${words ?? ''}`]),
    ...(state.interactions ?? []).map((open): [string, string] => ['asks', `${open.kind} ${open.id}`]),
    ['usage', used.join(', ') || 'nothing yet'],
    ['Temporal', links['temporal']],
    ['API', links['self'] === undefined ? undefined : settings.apiUrl + links['self']],
  ];
  return rows.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`  ${style.bold(name.padEnd(10))} ${inertLine(value, 400)}`],
  );
}
