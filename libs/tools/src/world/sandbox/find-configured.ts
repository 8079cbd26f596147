import { existsSync } from 'node:fs';
import type { SandboxPolicy } from '../../kit/index.ts';
import { bubblewrapArguments, bubblewrapEnvironment, DOORS, SERVICE_FOLDERS, visibleFolders } from './bubblewrap.ts';
import { PROBE_POLICY, type FindRunnerInput, type UnusableRunner, type WorkingRunner } from './runner.ts';
import { tryCommand } from './try-command.ts';
import { startFolder } from './writable-roots.ts';

/** The operator's own runner, which takes the arguments of bubblewrap. Never throws. */
export async function findConfigured({
  runnerCommand,
  searchPath,
  probeTimeoutMs,
}: FindRunnerInput): Promise<WorkingRunner | UnusableRunner> {
  if (!runnerCommand) return { name: 'configured', reason: 'none is configured' };
  const { argv, failureSignatures } = runnerCommand;
  const root = process.getuid?.() === 0;
  const visible = visibleFolders(searchPath);
  const prefix = (policy: SandboxPolicy, cwd: string) => {
    const [, ...profile] = bubblewrapArguments({
      program: '',
      policy,
      cwd: startFolder(policy.root, cwd),
      root,
      visible,
      doors: DOORS.filter(existsSync),
      hidden: SERVICE_FOLDERS.filter(existsSync),
    });
    return [...argv, ...profile];
  };
  const tryUnder = (policy: SandboxPolicy) =>
    tryCommand({ argv: [...prefix(policy, '/'), 'true'], searchPath, timeoutMs: probeTimeoutMs });
  const { reason } = await tryUnder(PROBE_POLICY);
  if (reason !== undefined) return { name: 'configured', reason };
  const alone = await tryUnder({ ...PROBE_POLICY, network: 'none' });
  return {
    name: 'configured',
    program: argv[0] ?? '',
    enforcement: 'full',
    network: alone.reason === undefined ? 'isolated' : 'shared',
    dialect: {
      denials: ['read-only file system', 'permission denied'],
      failure: { texts: failureSignatures },
      informational: [],
    },
    environment: bubblewrapEnvironment,
    prefix,
  };
}
