import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InfraError } from '../process/infra-error.ts';
import { serverEnvironment } from '../process/server-environment.ts';
import type { Account } from './account.ts';

/** What creating a cluster needs to know. `passwordFile` is ours and outlives the launcher. */
export interface CreateClusterInput {
  readonly binaries: string;
  readonly dataFolder: string;
  readonly passwordFile: string;
  readonly account: Account | undefined;
}

/** Runs initdb unless the folder already holds a cluster; answers the superuser's password. */
export async function createCluster(input: CreateClusterInput): Promise<string> {
  const { dataFolder, passwordFile } = input;
  if (existsSync(join(dataFolder, 'PG_VERSION'))) {
    if (existsSync(passwordFile)) return readFileSync(passwordFile, 'utf8').trim();
    throw new InfraError(
      'INFRA_POSTGRES_FAILED',
      `${dataFolder} holds a database whose password file ${passwordFile} is gone`,
      'put it back, or start over with `npm run reset`',
    );
  }
  // A launcher killed inside initdb leaves a folder that initdb refuses.
  for (const name of readdirSync(dataFolder)) rmSync(join(dataFolder, name), { recursive: true, force: true });
  const password = randomBytes(18).toString('base64url');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  await initdb(input, password);
  return password;
}

async function initdb({ binaries, dataFolder, account }: CreateClusterInput, password: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'everturn-initdb-'));
  const handover = join(scratch, 'password');
  writeFileSync(handover, `${password}\n`, { mode: 0o600 });
  if (account) for (const path of [scratch, handover]) chownSync(path, account.uid, account.gid);
  const args = [
    '-D',
    dataFolder,
    '-U',
    'postgres',
    '--pwfile',
    handover,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    '--no-sync',
  ];
  try {
    const { code, output } = await run(join(binaries, 'bin', 'initdb'), args, account);
    if (code !== 0)
      throw new InfraError(
        'INFRA_POSTGRES_FAILED',
        `initdb failed:\n${output.trim()}`,
        `look at ${dataFolder}, free disk space, or start as a plain user`,
      );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function run(
  command: string,
  args: string[],
  account: Account | undefined,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const identity = account ? { uid: account.uid, gid: account.gid } : {};
    const child = spawn(command, args, {
      ...identity,
      cwd: '/',
      env: { ...serverEnvironment(), LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk));
    child.once('error', reject).once('close', (code) => resolve({ code, output }));
  });
}
