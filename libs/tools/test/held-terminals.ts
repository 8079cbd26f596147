import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** How many terminals a process and all below it hold the far end of; none on systems without a process table. */
export function heldTerminals(pid: number): number {
  const parents = new Map(allPids().map((each) => [each, parentOf(each)]));
  const isBelow = (each: number): boolean => {
    for (let above: number | undefined = each; above !== undefined; above = parents.get(above))
      if (above === pid) return true;
    return false;
  };
  return [...parents.keys()].filter(isBelow).reduce((sum, each) => sum + mastersOf(each), 0);
}

/** Every process of this machine; none on systems without a process table. */
export const allPids = (): number[] => numbersIn('/proc');

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // it is gone, or belongs to somebody else
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(parent) || undefined;
  } catch {
    return undefined;
  }
}

function mastersOf(pid: number): number {
  return numbersIn(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith('/ptmx');
    } catch {
      return false;
    }
  }).length;
}
