/** Back to an empty checkout: `npm run reset`. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { postgresAccount } from '../postgres/account.ts';
import { dataFolderFor } from '../postgres/reachable-home.ts';
import { runCommand } from './run-command.ts';
import { stackPaths } from './stack/paths.ts';
import { stopStack } from './stack/stop-stack.ts';

const help = `usage: npm run reset [-- --yes]

Stops the stack and removes its data: database, workflow histories, workspaces, logs, the API key.
Asks first when there is a terminal; --yes does not.`;

/** Fetched programs are no data. */
const kept = new Set(['tools']);

await runCommand(help, async (argv) => {
  const { values } = parseArgs({ args: argv, options: { yes: { type: 'boolean', default: false } } });
  const paths = stackPaths();
  if (!values.yes && process.stdin.isTTY && !(await confirmed(`Remove everything in ${paths.dataDir}?`))) return 1;
  await stopStack(paths);
  if (!existsSync(paths.dataDir)) return 0;
  // Elsewhere only when root's checkout lies in a folder that Postgres' user cannot enter.
  rmSync(dataFolderFor(paths.postgres, postgresAccount()), { recursive: true, force: true });
  for (const name of readdirSync(paths.dataDir)) {
    if (!kept.has(name)) rmSync(join(paths.dataDir, name), { recursive: true, force: true });
  }
  console.log(`removed the data in ${paths.dataDir}`);
  return 0;
});

async function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
