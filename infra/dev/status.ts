/** What runs where: `npm run status`. */
import pc from 'picocolors';
import { isAlive } from '../process/running-program.ts';
import { runCommand } from './run-command.ts';
import { banner } from './stack/banner.ts';
import { stackPaths } from './stack/paths.ts';
import { supervisorPid } from './stack/running-stack.ts';
import { readState } from './stack/state-file.ts';

const help = `usage: npm run status

Shows what \`npm run up\` runs, with pids and addresses. Exit status 0 when everything is up, 1 otherwise.`;

await runCommand(help, async () => {
  const paths = stackPaths();
  const pid = supervisorPid(paths);
  const state = readState(paths.state);
  if (pid === undefined || state === undefined) {
    console.log('everturn is not running; start it with: npm run up');
    return 1;
  }
  const rows = Object.entries(state.services).map(([name, service]) => ({
    name,
    ...service,
    alive: isAlive(service.pid),
  }));
  for (const { name, pid: own, detail, alive } of rows) {
    console.log(`${alive ? pc.green('  ✓') : pc.red('  ✗')} ${name.padEnd(10)} pid ${String(own).padEnd(8)} ${detail}`);
  }
  console.log(state.ready ? banner(state.environment) : '  … still starting');
  return state.ready && rows.every(({ alive }) => alive) ? 0 : 1;
});
