import type { Command } from 'commander';
import { sessionPath, SessionDetails } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { sessionLines } from '../view/session-lines.ts';

/** `session show <session>`: where it stands. */
export function addSessionShow(session: Command, context: Context): void {
  session
    .command('show')
    .argument('<session>')
    .description('Show where a session stands: status, queue, usage, links')
    .option('--json', 'print it as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const state = await context.api().json({ path: sessionPath(id) }, SessionDetails);
      if (json) return context.printJson(state);
      for (const line of sessionLines(state, context)) context.print(line);
    });
}
