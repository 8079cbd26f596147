/** A call of a batch as far as its planning is concerned. */
export interface PlannedCall {
  /** An exclusive call is a barrier: everything before it has committed, nothing after it has started. */
  concurrency: 'parallel' | 'exclusive';
  /** `finished` = the body settled, its result is not in the log yet. */
  state: 'waiting' | 'running' | 'finished' | 'committed';
}

export interface PlanToolBatchInput {
  /** In model order. */
  calls: readonly PlannedCall[];
  /** Bodies in flight at most, ≥ 1. */
  maxParallel: number;
  /** `stopping` starts nothing more. */
  mode?: 'running' | 'stopping';
}

/** Indices of calls, each list in model order. */
export interface PlanToolBatchResult {
  /** May start now. Starting is sequential; plan again after each start, a call's class may have changed. */
  start: readonly number[];
  /** May have their results written now: the finished prefix. */
  commit: readonly number[];
  /** Will never start and may be answered now, because every started call has its result. */
  abandon: readonly number[];
}

/** Decides what a tool batch does next; pure, so a replay decides the same. */
export function planToolBatch({ calls, maxParallel, mode = 'running' }: PlanToolBatchInput): PlanToolBatchResult {
  const firstUncommitted = calls.findIndex((call) => call.state !== 'committed');
  const head = firstUncommitted < 0 ? calls.length : firstUncommitted;
  const commit = takeWhile(calls, head, (call) => call.state === 'finished');
  if (mode === 'running') return { start: startable(calls, head, maxParallel), commit, abandon: [] };
  return { start: [], commit, abandon: takeWhile(calls, head, (call) => call.state === 'waiting') };
}

function startable(calls: readonly PlannedCall[], head: number, maxParallel: number): number[] {
  if (calls[head]?.concurrency === 'exclusive') return calls[head].state === 'waiting' ? [head] : [];
  const group = takeWhile(calls, head, (call) => call.concurrency === 'parallel');
  const running = group.filter((index) => calls[index]?.state === 'running').length;
  return group.filter((index) => calls[index]?.state === 'waiting').slice(0, Math.max(0, maxParallel - running));
}

function takeWhile(calls: readonly PlannedCall[], from: number, holds: (call: PlannedCall) => boolean): number[] {
  const indices: number[] = [];
  for (let index = from; index < calls.length && holds(calls[index] as PlannedCall); index += 1) indices.push(index);
  return indices;
}
