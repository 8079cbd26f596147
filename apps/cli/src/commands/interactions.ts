import type { Command } from 'commander';
import { Interactions, sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { interactionLines } from '../view/interaction-lines.ts';

/** `interactions <session>`: what waits for a person, and how it is answered. */
export function addInteractions(program: Command, context: Context): void {
  program
    .command('interactions')
    .argument('<session>')
    .description('Show what waits for a person in a session, and how it is answered')
    .option('--all', 'also what was answered or cancelled')
    .option('--json', 'print it as JSON')
    .action(async (id: string, { all, json }: { all?: true; json?: true }) => {
      const query = { state: all ? undefined : 'open' };
      const found = await context.api().json({ path: sessionPath(id, 'interactions'), query }, Interactions);
      if (json) return context.printJson(found);
      if (found.interactions.length === 0) return context.print('nothing waits');
      for (const line of found.interactions.flatMap((one) => interactionLines(id, one))) context.print(line);
    });
}
