import { existsSync } from 'node:fs';
import type { SandboxPolicy } from '../../kit/index.ts';
import { findExecutable } from '../processes/find-executable.ts';
import { bubblewrapArguments, bubblewrapEnvironment, DOORS, SERVICE_FOLDERS, visibleFolders } from './bubblewrap.ts';
import { PROBE_POLICY, type FindRunnerInput, type UnusableRunner, type WorkingRunner } from './runner.ts';
import { tryCommand } from './try-command.ts';
import { startFolder } from './writable-roots.ts';

/** Namespaces of mounts and processes, and of the network where a policy says so. Never throws. */
export async function findBubblewrap(input: FindRunnerInput): Promise<WorkingRunner | UnusableRunner> {
  const { searchPath, probeTimeoutMs } = input;
  const program = input.bubblewrap ?? (await findExecutable('bwrap', searchPath).catch((error: Error) => error));
  if (program instanceof Error) return { name: 'bubblewrap', reason: program.message };
  const root = process.getuid?.() === 0;
  const visible = visibleFolders(searchPath);
  const prefix = (policy: SandboxPolicy, cwd: string) => {
    const [doors, hidden] = [DOORS.filter(existsSync), SERVICE_FOLDERS.filter(existsSync)];
    return bubblewrapArguments({
      program,
      policy,
      cwd: startFolder(policy.root, cwd),
      root,
      visible,
      doors,
      hidden,
    });
  };
  const tryUnder = (form: typeof prefix, policy: SandboxPolicy) =>
    tryCommand({ argv: [...form(policy, '/'), 'true'], searchPath, timeoutMs: probeTimeoutMs });

  const { reason } = await tryUnder(prefix, PROBE_POLICY);
  if (reason !== undefined) return { name: 'bubblewrap', reason };
  const [patient, alone] = await Promise.all([
    tryUnder(patiently(prefix), PROBE_POLICY),
    tryUnder(prefix, { ...PROBE_POLICY, network: 'none' }),
  ]);
  return {
    name: 'bubblewrap',
    program,
    enforcement: 'full',
    network: alone.reason === undefined ? 'isolated' : 'shared',
    dialect: { denials: ['read-only file system'], failure: { texts: ['bwrap: '] }, informational: [] },
    environment: bubblewrapEnvironment,
    prefix: patient.reason === undefined ? patiently(prefix) : prefix,
  };
}

/**
 * A cancel sends SIGTERM to the whole group, and a runner that died of it would take the command with it at once,
 * without its grace. Needs an `env` that can set signals, as coreutils' has been since 8.31.
 */
const patiently =
  (prefix: WorkingRunner['prefix']): WorkingRunner['prefix'] =>
  (policy, cwd) => ['env', '--ignore-signal=TERM', ...prefix(policy, cwd), 'env', '--default-signal=TERM'];
