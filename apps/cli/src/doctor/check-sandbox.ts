import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inertLine } from '../terminal/inert.ts';
import { versionOf } from './check-programs.ts';
import { info, ok, type Finding } from './finding.ts';

const execute = promisify(execFile);

/** What this machine could confine tools with; having a program is not enough, so each is tried. */
export async function checkSandbox(): Promise<Finding[]> {
  if (process.platform !== 'linux') return [info('Sandbox', `no probe for ${process.platform}`)];
  return [await bubblewrap(), await landlock()];
}

async function bubblewrap(): Promise<Finding> {
  const version = await versionOf('bwrap');
  if (version === undefined) return info('bubblewrap', 'absent');
  const args = ['--ro-bind', '/', '/', '--dev', '/dev', '--unshare-all', '--die-with-parent', 'true'];
  try {
    await execute('bwrap', args, { timeout: 10_000 });
    return ok('bubblewrap', `${version}, works here`);
  } catch (error) {
    const said = error instanceof Error ? error.message.split('\n').at(-2) : undefined;
    return info(
      'bubblewrap',
      inertLine(`${version}, but this system refuses it${said === undefined ? '' : `: ${said}`}`, 200),
    );
  }
}

/** The kernel lists its security modules where securityfs is mounted. */
async function landlock(): Promise<Finding> {
  const modules = await readFile('/sys/kernel/security/lsm', 'utf8').catch(() => undefined);
  if (modules === undefined) return info('Landlock', 'unknown: securityfs is not mounted here');
  return modules.split(',').includes('landlock')
    ? ok('Landlock', 'active in this kernel')
    : info('Landlock', 'not active in this kernel');
}
