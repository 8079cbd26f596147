import { lstat, stat } from 'node:fs/promises';
import type { PowershellPort } from '../../kit/index.ts';
import type { HostEnvironment } from './child-environment.ts';
import { findExecutable } from './find-executable.ts';

const MISSING =
  'PowerShell is not installed on this machine: install PowerShell 7, so that "pwsh" is on the PATH of the worker, or use bash';

export interface LocalPowershellInput {
  /** Its program, as the deployment names it; absent: looked for. */
  configured?: string;
  environment: HostEnvironment;
  platform?: NodeJS.Platform;
}

/** PowerShell of this machine. */
export class LocalPowershell implements PowershellPort {
  readonly #input: LocalPowershellInput;

  constructor(input: LocalPowershellInput) {
    this.#input = input;
  }

  async find(): Promise<string> {
    const { configured, environment, platform = process.platform } = this.#input;
    const searchPath = environment['PATH'];
    if (configured !== undefined)
      return findExecutable(configured, searchPath).catch((cause: Error) => {
        throw new Error('EVERTURN_PWSH_PATH is of no use, correct or unset it', { cause });
      });
    const found = platform === 'win32' ? await firstProgram(windowsPrograms(environment)) : await onPath(searchPath);
    if (found === undefined) throw new Error(MISSING);
    return found;
  }
}

const onPath = (searchPath: string | undefined): Promise<string | undefined> =>
  findExecutable('pwsh', searchPath).catch(() => undefined);

/** Where Windows may have it: 7 under Program Files, what PATH names, then the 5.1 every Windows brings. */
export function windowsPrograms(environment: HostEnvironment): string[] {
  const folders = (environment['PATH'] ?? '').split(';').map((folder) => folder.replaceAll('"', '').trim());
  return [
    `${environment['ProgramFiles'] ?? 'C:\\Program Files'}\\PowerShell\\7\\pwsh.exe`,
    ...folders.filter((folder) => folder !== '').map((folder) => `${folder.replace(/[\\/]+$/, '')}\\pwsh.exe`),
    `${environment['SystemRoot'] ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
  ];
}

/** The first that is there and no folder. An app alias of Windows is a link that can be started but not followed. */
export async function firstProgram(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const target = await stat(path).catch(() => undefined);
    if (target ? !target.isDirectory() : await isLink(path)) return path;
  }
  return undefined;
}

const isLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
