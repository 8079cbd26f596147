import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { InfraError } from '../process/infra-error.ts';
import { attempt } from '../process/attempt.ts';

export interface BuildInput {
  /** Where the payload is to lie, absolute; one that is there is replaced once the new one is whole. */
  folder: string;
  /** A file for pip, all of it pinned, with what each package needs. */
  requirements: string;
  tell: (text: string) => void;
}

const PYTHONS = ['python3', '/usr/bin/python3', 'python'];

/** Builds a Python environment with libraries of its own and describes it for `load_workspace_dependencies`. */
export async function buildDependencies({ folder, requirements, tell }: BuildInput): Promise<void> {
  const staging = `${folder}.staging-${process.pid}`;
  const failures: string[] = [];
  mkdirSync(dirname(folder), { recursive: true });
  try {
    for (const python of PYTHONS) {
      rmSync(staging, { recursive: true, force: true });
      try {
        const { version, packages } = await install(python, staging, requirements, tell);
        describe(staging, { version, packages });
        place(staging, folder);
        return;
      } catch (error) {
        failures.push(`${python}: ${(error as Error).message}`);
      }
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  throw new InfraError(
    'INFRA_TOOL_MISSING',
    `no Python of this machine could build it:\n  ${failures.join('\n  ')}`,
    'install python3 with its modules venv and pip (`apt install python3-venv python3-pip`)',
  );
}

async function install(python: string, staging: string, requirements: string, tell: (text: string) => void) {
  // pip comes from the machine: an environment's own would be one more thing to ship.
  await attempt(python, ['-m', 'venv', '--without-pip', join(staging, 'python')]);
  const own = join(staging, 'python', 'bin', 'python3');
  const ask = 'import platform, sysconfig; print(platform.python_version()); print(sysconfig.get_path("purelib"))';
  const [version = '', library = ''] = (await attempt(own, ['-c', ask])).trim().split('\n');
  tell(`installing ${requirements} for Python ${version}`);
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-compile', '--no-deps', '--only-binary', ':all:'];
  await attempt(python, ['-m', 'pip', 'install', ...quiet, '--target', library, '-r', requirements]);
  return { version, packages: relative(staging, library) };
}

function describe(staging: string, { version, packages }: { version: string; packages: string }): void {
  const runtime = {
    desktopVersion: manifest.version,
    platform: process.platform,
    arch: process.arch,
    payloadDigest: digestOf(join(staging, packages), version),
    python: 'python/bin/python3',
    pythonPackages: packages,
  };
  writeFileSync(join(staging, 'runtime.json'), `${JSON.stringify(runtime, null, 2)}\n`);
}

/** By content: each installed distribution records the hash of each of its files. */
function digestOf(packages: string, version: string): string {
  const hash = createHash('sha256').update(version);
  for (const record of globSync('*.dist-info/RECORD', { cwd: packages }).toSorted())
    hash.update(`\0${record}\0`).update(readFileSync(join(packages, record)));
  return `sha256-${hash.digest('hex')}`;
}

function place(staging: string, folder: string): void {
  const before = `${folder}.before-${process.pid}`;
  if (existsSync(folder)) renameSync(folder, before);
  renameSync(staging, folder);
  rmSync(before, { recursive: true, force: true });
}
