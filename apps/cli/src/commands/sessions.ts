import type { Command } from 'commander';
import { SessionPage, type Session } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { inertLine } from '../terminal/inert.ts';
import { table } from '../terminal/table.ts';

interface SessionsOptions {
  status?: string;
  limit: string;
  json?: true;
}

/** `sessions`: a list, newest first. */
export function addSessions(program: Command, context: Context): void {
  program
    .command('sessions')
    .description('List sessions, newest first')
    .option('--status <list>', 'only these, separated by commas: starting, idle, running, waiting, broken, closed')
    .option('--limit <number>', 'most sessions to list, up to 200', '20')
    .option('--json', 'print the page as JSON')
    .action(async ({ status, limit, json }: SessionsOptions) => {
      const page = await context.api().json({ path: '/v1/sessions', query: { status, limit } }, SessionPage);
      if (json) return context.printJson(page);
      if (page.sessions.length === 0) return context.print('no sessions');
      const [head = '', ...lines] = table([
        ['SESSION', 'STATUS', 'CREATED', 'MODEL', 'ABOUT'],
        ...page.sessions.map(row),
      ]);
      context.print(context.style.dim(head));
      for (const line of lines) context.print(line);
      if (page.next !== null) context.print(context.style.dim('… and more: raise --limit'));
    });
}

function row({ id, status, createdAt, model, title, preview }: Session): string[] {
  const created = createdAt.slice(0, 19).replace('T', ' ');
  return [
    inertLine(id, 128),
    inertLine(status, 20),
    inertLine(created, 19),
    inertLine(model ?? '-', 40),
    inertLine(title || preview, 60),
  ];
}
