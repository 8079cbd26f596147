import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitSource } from './package-spec.ts';
import { InstallerError, runInstaller, type InstallerInput } from './run-installer.ts';

const TIMEOUT_MS = 120_000;
const COMMIT = /^[0-9a-f]{7,64}$/;

/** Nothing of the machine's settings, no hooks, no filters, no submodules, no questions; only the ways we mean. */
const OPTIONS = [
  'core.hooksPath=/dev/null',
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.http.allow=always',
  'protocol.ssh.allow=always',
  'protocol.file.allow=always',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  'advice.detachedHead=false',
].flatMap((option) => ['-c', option]);

const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=5',
};

/**
 * Checks out a repository into a folder and removes what is git's. npm would do so by itself, but runs the scripts that
 * prepare a checkout, which nobody has approved. Throws `InstallerError`.
 */
export async function checkOut(
  { url, ref }: GitSource,
  { folder, ...input }: Pick<InstallerInput, 'processes' | 'folder' | 'signal'>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const git = (verb: string, ...args: string[]) =>
    runInstaller({
      ...input,
      folder,
      argv: ['git', ...OPTIONS, verb, ...args],
      what: `git ${verb}`,
      environment: ENVIRONMENT,
      timeoutMs: TIMEOUT_MS,
    });
  await git('init', '-q');
  const wanted = ref ?? 'HEAD';
  try {
    await git('fetch', '-q', '--depth=1', '--no-tags', '--', url, wanted);
    await git('checkout', '-q', 'FETCH_HEAD');
  } catch (error) {
    // Not every server gives out a commit by its name; whoever has all commits has that one.
    if (!(error instanceof InstallerError) || !COMMIT.test(wanted) || input.signal.aborted) throw error;
    await git('fetch', '-q', '--no-tags', '--', url, '+refs/heads/*:refs/remotes/origin/*');
    await git('checkout', '-q', wanted);
  }
  await rm(join(folder, '.git'), { recursive: true, force: true });
}
