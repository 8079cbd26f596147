import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../benchmark.ts';

/** One benchmark's part of a run. */
export interface BenchmarkResult {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
  /** Why it could not measure. */
  readonly error?: string;
}

/** A whole run, as it is kept. */
export interface BenchResults {
  readonly startedAt: string;
  readonly size: 'quick' | 'full';
  readonly machine: Machine;
  readonly benchmarks: readonly BenchmarkResult[];
}

/** What the figures were measured on. */
export interface Machine {
  readonly platform: string;
  readonly processors: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly node: string;
  /** Load averages at the start: a busy machine measures its other work. */
  readonly load: readonly number[];
}

/** This machine, now. */
export function thisMachine(load: readonly number[]): Machine {
  return {
    platform: `${process.platform}-${process.arch}`,
    processors: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    node: process.version,
    load,
  };
}

/** Keeps the results under the time they were started at; answers the file. */
export function saveResults(folder: string, results: BenchResults): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${results.startedAt.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  return file;
}
