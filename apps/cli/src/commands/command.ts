import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { CommandList, CommandReport, sessionPath } from '../platform/api-shapes.ts';
import { CliError } from '../platform/cli-error.ts';
import type { Context } from '../platform/context.ts';
import { inertLine } from '../terminal/inert.ts';
import { table } from '../terminal/table.ts';

/** `command <session> ["/name …"]`: runs a command in a session, or lists those there are. */
export function addCommand(program: Command, context: Context): void {
  program
    .command('command')
    .argument('<session>')
    .argument('[line]', 'such as "/plan off"; without it the commands are listed')
    .description('Run a command in a session, which its model does not see, or list those there are')
    .action(async (id: string, command: string | undefined) => {
      const path = sessionPath(id, 'commands');
      if (command === undefined) {
        const { commands } = await context.api().json({ path }, CommandList);
        const rows = commands.map(({ name, input = '', description }) => [
          inertLine(`/${name} ${input}`.trim(), 80),
          inertLine(description, 200),
        ]);
        for (const line of table(rows)) context.print(line);
        return;
      }
      const request = { method: 'POST' as const, path, body: { command }, idempotencyKey: randomUUID() };
      const { kind, text = '' } = await context.api().json(request, CommandReport);
      if (kind === 'error')
        throw new CliError({ code: 'CLI_REFUSED', what: text, remedy: `see \`everturn command ${id}\`` });
      context.print(kind === undefined ? 'kept for the session; its log will tell' : inertLine(text, 4_000));
    });
}
