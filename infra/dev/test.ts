/** Everything that must hold: `npm test`. */
import { delimiter, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from '../browser/find-chromium.ts';
import { findBubblewrap } from '../sandbox/find-bubblewrap.ts';
import { runCommand } from './run-command.ts';
import { stackPaths } from './stack/paths.ts';
import { command, type Step, vitest } from './test/steps.ts';
import { type Tally, total } from './test/tally.ts';

const help = `usage: npm test [-- --full]

Runs every check (format, lint, boundaries, types) and all tests, against a real PostgreSQL and a real Temporal which
it starts itself. Goes on after a failure; the last line counts. \`npm run check\` is the quick half.

  --full  also what takes long: *.full.test.ts`;

await runCommand(help, async (argv) => {
  const { values } = parseArgs({ args: argv, options: { full: { type: 'boolean', default: false } } });
  const steps: Step[] = [
    command('format', 'oxfmt', '--check', '.'),
    command('lint', 'oxlint', '--deny-warnings'),
    command('boundaries', 'depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'infra'),
    command('types', 'nx', 'run-many', '-t', 'types', '--outputStyle=static'),
    vitest('unit'),
    vitest('db', 'e2e', ...(values.full ? ['full'] : [])),
  ];
  // Tests of the sandbox run wherever one can be had, and say why where none can.
  const bubblewrap = await findBubblewrap(stackPaths().dataDir, process.env, (text) => console.log(text));
  if (bubblewrap !== undefined) process.env['EVERTURN_TEST_BUBBLEWRAP'] = bubblewrap;
  const chromium = await findChromium(stackPaths().dataDir, process.env, (text) => console.log(text));
  // Whoever needs a browser, in tests and in workers under test, looks for it on PATH.
  if (chromium !== undefined) process.env['PATH'] += `${delimiter}${dirname(chromium)}`;
  const tallies: Tally[] = [];
  const red: string[] = [];
  for (const { name, run } of steps) {
    console.log(`\n── ${name}`);
    const tally = await run();
    tallies.push(tally);
    if (tally.failed > 0) red.push(`${name}: ${tally.failed}`);
  }
  const { passed, failed, skipped, failures } = total(tallies);
  for (const name of skipped) console.log(`skipped: ${name}`);
  for (const failure of failures) console.log(`\nfailed: ${failure}`);
  if (red.length > 0) console.log(`\nfailed in ${red.join('; ')}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});
