import { readFileSync, rmSync } from 'node:fs';
import { poll } from '../../process/poll.ts';

/** What is left after collection, in bytes; heaps of all threads together. */
export interface HeapReport {
  readonly heapBytes: number;
  readonly externalBytes: number;
  readonly residentBytes: number;
  readonly threads: number;
}

/** The variables that make a Node process answer `heapAfterCollection`. */
export function heapProbeEnvironment(file: string): Record<string, string> {
  const probe = new URL('heap-probe.mjs', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${probe}`, EVERTURN_BENCH_HEAP_FILE: file };
}

/** Makes a process that was started with the probe collect its garbage, and answers what is left. */
export async function heapAfterCollection(pid: number, file: string): Promise<HeapReport> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  const report = await poll(() => readReport(file), 30_000);
  if (report === undefined) throw new Error(`process ${pid} did not report its heap within 30 s`);
  return report;
}

function readReport(file: string): HeapReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as HeapReport;
  } catch {
    return undefined;
  }
}
