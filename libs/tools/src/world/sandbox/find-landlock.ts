import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxPolicy } from '../../kit/index.ts';
import { findExecutable } from '../processes/find-executable.ts';
import { PROBE_POLICY, type FindRunnerInput, type UnusableRunner, type WorkingRunner } from './runner.ts';
import { tryCommand } from './try-command.ts';
import { writableRoots } from './writable-roots.ts';

const SCRIPT = fileURLToPath(new URL('landlock-run.py', import.meta.url));
const PARTIAL_NOTE = 'landlock-run: partial enforcement: this kernel cannot refuse every kind of write';

/**
 * The kernel's own rules for a process and all it starts; for machines that refuse namespaces, as containers do.
 * Never throws.
 */
export async function findLandlock({
  searchPath,
  probeTimeoutMs,
}: FindRunnerInput): Promise<WorkingRunner | UnusableRunner> {
  const named = await findExecutable('python3', searchPath).catch((error: Error) => error);
  if (named instanceof Error) return { name: 'landlock', reason: named.message };
  // What the path has may be a shell script in its place, and that would read BASH_ENV unconfined.
  const ask = [named, '-I', '-S', '-c', 'import sys; print(sys.executable)'];
  const asked = await tryCommand({ argv: ask, searchPath, timeoutMs: probeTimeoutMs });
  const python = asked.stdout.trim();
  if (asked.reason !== undefined || !isAbsolute(python))
    return { name: 'landlock', reason: asked.reason ?? 'python3 does not say where it is' };
  const prefix = (policy: SandboxPolicy) => {
    return [python, '-I', '-S', SCRIPT, ...written(policy).flatMap((folder) => ['--rw', folder]), '--'];
  };
  const argv = [...prefix(PROBE_POLICY), 'true'];
  const { reason, stderr } = await tryCommand({ argv, searchPath, timeoutMs: probeTimeoutMs });
  if (reason !== undefined) return { name: 'landlock', reason };
  return {
    name: 'landlock',
    program: python,
    enforcement: stderr.includes(PARTIAL_NOTE) ? 'partial' : 'full',
    network: 'shared',
    dialect: {
      denials: ['permission denied'],
      failure: { texts: ['landlock-run: '], exitCode: 125 },
      informational: [PARTIAL_NOTE],
    },
    environment: () => ({}),
    prefix,
  };
}

const written = ({ mode, root, scratch }: SandboxPolicy): string[] =>
  mode === 'workspace-write' ? writableRoots(root) : scratch === undefined ? [] : [scratch];
