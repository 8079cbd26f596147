import { ConfigError } from '@everturn/core/config';
import { CliError } from '../platform/cli-error.ts';
import type { Settings } from '../platform/settings.ts';
import { inertLine } from '../terminal/inert.ts';
import { checkApi } from './check-api.ts';
import { checkMachine } from './check-machine.ts';
import { checkNode } from './check-node.ts';
import { checkPostgres } from './check-postgres.ts';
import { checkPrograms } from './check-programs.ts';
import { checkSandbox } from './check-sandbox.ts';
import { checkTemporal } from './check-temporal.ts';
import { checkWeb } from './check-web.ts';
import { fail, type Check, type Finding } from './finding.ts';

/** Looks at everything, each thing on its own; never throws. */
export async function examine(readSettings: () => Settings): Promise<Finding[]> {
  const node = checkNode();
  const settings = await settingsOr(readSettings);
  if (Array.isArray(settings)) return [...node, ...settings, ...(await contained('Sandbox', checkSandbox))];
  const checks: [string, Check][] = [
    ['Postgres', () => checkPostgres(settings)],
    ['Temporal', () => checkTemporal(settings)],
    ['API', () => checkApi(settings)],
    ['Programs', () => checkPrograms(settings)],
    ['Sandbox', checkSandbox],
    ['Web', checkWeb],
    ['Machine', () => checkMachine(settings)],
  ];
  const found = await Promise.all(checks.map(([name, check]) => contained(name, check)));
  return [...node, ...found.flat()];
}

async function settingsOr(read: () => Settings): Promise<Settings | Finding[]> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message
      .split('\n')
      .map((line) => fail('Settings', inertLine(line, 300), 'correct that variable and look again'));
  }
}

async function contained(name: string, check: Check): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [what = '', remedy] = error instanceof CliError ? message.split(' → ') : [message];
    return [fail(name, inertLine(what, 300), remedy ?? 'look at its log; `npm run status` says what runs')];
  }
}
