/** Stops what `up` started: `npm run down`. */
import { runCommand } from './run-command.ts';
import { stackPaths } from './stack/paths.ts';
import { stopStack } from './stack/stop-stack.ts';

const help = `usage: npm run down

Stops the stack of this checkout, whoever started it. The data stays.`;

await runCommand(help, async () => {
  const stopped = await stopStack(stackPaths());
  console.log(stopped ? 'everturn is down' : 'nothing was running');
  return 0;
});
