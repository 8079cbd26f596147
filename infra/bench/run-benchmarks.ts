import { mkdirSync } from 'node:fs';
import type { Bench, Benchmark } from './benchmark.ts';
import type { BenchOptions } from './options.ts';
import type { BenchmarkResult } from './report/results.ts';
import { monotonicMs } from './measure/clock.ts';
import { type Application, startApplication } from './stack/application.ts';
import type { BenchPaths } from './stack/paths.ts';
import { startServers } from './stack/servers.ts';

/** Who hears of a run while it goes on. */
export interface RunListener {
  /** Something is being done just now. */
  doing(text: string): void;
  /** A benchmark is through. */
  measured(result: BenchmarkResult): void;
}

/**
 * Runs benchmarks one after the other on one stack; one that fails is reported, and the next one runs.
 * Rejects when the signal is raised, after the stack has been stopped.
 */
export async function runBenchmarks(
  { chosen, size, profile }: BenchOptions,
  paths: BenchPaths,
  listener: RunListener,
  signal: AbortSignal,
): Promise<BenchmarkResult[]> {
  const servers = await startServers(paths, (text) => listener.doing(text));
  let started: Promise<Application> | undefined;
  const application = (): Promise<Application> => {
    started ??= startApplication(servers, paths, profile ? profilingEnvironment(paths) : {});
    return started;
  };
  const all = async (): Promise<BenchmarkResult[]> => {
    const results: BenchmarkResult[] = [];
    for (const benchmark of chosen) {
      const tell = (text: string) => listener.doing(`${benchmark.name}: ${text}`);
      const result = await runOne(benchmark, { size, servers, application, tell });
      // What fails because everything is being stopped is no result.
      signal.throwIfAborted();
      listener.measured(result);
      results.push(result);
    }
    return results;
  };
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([all(), stopped.promise]);
  } finally {
    const running = await started?.catch(() => undefined);
    await running?.stop();
    await servers.stop();
  }
}

async function runOne(benchmark: Benchmark, bench: Bench): Promise<BenchmarkResult> {
  const { name, title } = benchmark;
  const began = monotonicMs();
  const seconds = () => (monotonicMs() - began) / 1000;
  bench.tell(title);
  try {
    const figures = await benchmark.run(bench);
    return { name, title, seconds: seconds(), figures };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { name, title, seconds: seconds(), figures: [], error: reason };
  }
}

function profilingEnvironment({ profiles }: BenchPaths): Record<string, string> {
  mkdirSync(profiles, { recursive: true });
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` };
}
