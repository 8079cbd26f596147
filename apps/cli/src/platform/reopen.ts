import type { Command } from 'commander';
import { Session, sessionPath } from './api-shapes.ts';
import type { Context } from './context.ts';
import { sessionLines } from '../view/session-lines.ts';

interface ReopenInput {
  session: Command;
  context: Context;
  name: 'resume' | 'recover';
  description: string;
}

/** A command that reopens a session: the API mends a broken one and reopens a closed one by the same request. */
export function addReopen({ session, context, name, description }: ReopenInput): void {
  session
    .command(name)
    .argument('<session>')
    .description(description)
    .option('--json', 'print the session as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const request = { method: 'POST' as const, path: sessionPath(id, 'resume') };
      const state = await context.api().json(request, Session);
      if (json) return context.printJson(state);
      for (const line of sessionLines(state, context)) context.print(line);
    });
}
