import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The absolute path of a program: as given when absolute, else from `searchPath` (a PATH value). Throws with what is wrong. */
export async function findExecutable(program: string, searchPath: string | undefined): Promise<string> {
  if (program === '') throw new Error('cannot start a process: the program is empty');
  if (isAbsolute(program)) {
    if (await isExecutable(program)) return program;
    throw new Error(`cannot start "${program}": it is not an executable file`);
  }
  if (program.includes('/'))
    throw new Error(`cannot start "${program}": give a bare name or an absolute path, not a relative one`);
  for (const folder of (searchPath ?? '').split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, program)))) return join(folder, program);
  }
  throw new Error(`cannot start "${program}": it is not on PATH`);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
