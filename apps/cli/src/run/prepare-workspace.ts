import { randomBytes } from 'node:crypto';
import { cp, mkdir, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { CliError } from '../platform/cli-error.ts';
import { checkout, type Settings } from '../platform/settings.ts';

export interface WorkspaceInput {
  settings: Settings;
  session: string;
  /** As the user gave it. */
  asked?: string | undefined;
  content: 'demo' | 'empty';
}

/** Where the agent works. `here`: this machine has the folder, so its changes can be shown. */
export interface Workspace {
  path: string;
  where: 'here' | 'elsewhere';
}

/** A name for a new session that sorts by time and is nobody else's. */
export function newSessionId(now = new Date()): string {
  const time = now
    .toISOString()
    .replaceAll(/[-:]|\..*/g, '')
    .replace('T', '-');
  return `run-${time}-${randomBytes(3).toString('hex')}`;
}

/**
 * The folder a new session works in: the one asked for, else a fresh one of its own under the data folder, which for
 * the demo is a copy of the demo's project. Undefined where the API runs elsewhere and no folder was asked for.
 */
export async function prepareWorkspace({
  settings,
  session,
  asked,
  content,
}: WorkspaceInput): Promise<Workspace | undefined> {
  const local = isLoopback(settings.apiUrl);
  if (asked !== undefined) return askedWorkspace(asked, local);
  if (!local) return undefined;
  const path = join(settings.dataDir, 'workspaces', session);
  await mkdir(path, { recursive: true });
  if (content === 'demo') await cp(join(checkout, 'infra/demo/workspace'), path, { recursive: true });
  return { path, where: 'here' };
}

/** The workspace of a session that exists already. */
export async function knownWorkspace(settings: Settings, path: string | undefined): Promise<Workspace | undefined> {
  if (path === undefined) return undefined;
  return { path, where: isLoopback(settings.apiUrl) && (await isFolder(path)) ? 'here' : 'elsewhere' };
}

async function askedWorkspace(asked: string, local: boolean): Promise<Workspace> {
  const path = local ? resolve(asked) : asked.replace(/(?<=.)\/+$/, '');
  if (await isFolder(path)) return { path, where: local ? 'here' : 'elsewhere' };
  if (!local && isAbsolute(path)) return { path, where: 'elsewhere' };
  throw new CliError({
    code: 'CLI_USAGE',
    what: `--workspace ${asked} is no folder`,
    remedy: 'name a folder that exists on the machine that runs the tools',
  });
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Whether the API runs on this machine, as far as its URL tells. */
export function isLoopback(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
