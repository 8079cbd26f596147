import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { commandLineOf } from './running-program.ts';

/**
 * Takes a pid file for `pid`, or answers the live process that holds it.
 * `marks` are words its command line must contain: a pid that now belongs to another program holds nothing.
 */
export function takePidFile(file: string, pid: number, marks: string[]): { holder: number } | undefined {
  for (;;) {
    try {
      writeFileSync(file, `${pid}\n`, { flag: 'wx' });
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = holderOf(file, marks);
    if (holder !== undefined) return { holder };
    rmSync(file, { force: true });
  }
}

/** The live process a pid file names, if it is the program the marks describe. */
export function holderOf(file: string, marks: string[]): number | undefined {
  const pid = readPid(file);
  if (pid === undefined || pid === process.pid) return undefined;
  const commandLine = commandLineOf(pid);
  return commandLine !== '' && marks.every((mark) => commandLine.includes(mark)) ? pid : undefined;
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isNaN(pid) ? undefined : pid;
  } catch {
    return undefined;
  }
}
