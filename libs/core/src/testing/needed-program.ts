import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of the machine's own packages that a test needs; nothing here installs one. */
export interface NeededProgram {
  /** Its path; the bare name when it is absent. */
  readonly file: string;
  /** For `skipIf`. */
  readonly absent: boolean;
  /** For the end of the test's title: why it is skipped and what to install; empty when the program is there. */
  readonly note: string;
}

/** Looks for a Debian package's program of the same name, in PATH and where daemons are kept. */
export function neededProgram(name: 'chromium' | 'nginx' | 'pgbouncer', path = process.env['PATH']): NeededProgram {
  const folders = [...(path ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'].filter(Boolean);
  const file = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (file !== undefined) return { file, absent: false, note: '' };
  return { file: name, absent: true, note: ` [skipped: ${name} is missing; apt-get install -y ${name}]` };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
