import { monotonicMs } from './clock.ts';
import { cpuTimeMs } from './cpu-time.ts';

/** How much work is done to find out what a step costs. */
export interface StepLoad {
  readonly sessions: number;
  readonly stepsEach: number;
  readonly isolation: 'child' | 'inline';
}

/** What a step costs under a load: elapsed time and CPU time, by number of steps. */
export interface StepCost {
  readonly wallMs: number;
  /** Of the worker process. */
  readonly workerCpuMs: number;
  /** Of every process that takes part, servers included; bounds what a machine can do at once. */
  readonly totalCpuMs: number;
}

/** The processes whose time is counted. */
export interface StepProcesses {
  readonly worker: number;
  readonly others: readonly number[];
}

/** Does the work and divides what it took by the number of steps. */
export async function costPerStep(
  { sessions, stepsEach }: StepLoad,
  { worker, others }: StepProcesses,
  work: () => Promise<unknown>,
): Promise<StepCost> {
  const othersMs = () => others.reduce((sum, pid) => sum + cpuTimeMs(pid), 0);
  const before = { worker: cpuTimeMs(worker), others: othersMs(), at: monotonicMs() };
  await work();
  const steps = sessions * stepsEach;
  const workerCpuMs = (cpuTimeMs(worker) - before.worker) / steps;
  return {
    wallMs: (monotonicMs() - before.at) / steps,
    workerCpuMs,
    totalCpuMs: workerCpuMs + (othersMs() - before.others) / steps,
  };
}
