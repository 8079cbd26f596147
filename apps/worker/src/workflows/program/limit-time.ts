import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import type { ProgramState } from './program-state.ts';

const ROUND_GRACE_MS = 5_000;

/** Ends a program when it has worked for as long as it may; waiting for people is no work. Returns what calls that off. */
export function limitTime(program: ProgramState): () => void {
  const { time, input } = program;
  const scope = new CancellationScope({ cancellable: true });
  const watch = async () => {
    for (let left = remaining(); left > 0; left = remaining()) {
      await sleep(left);
      await condition(() => time.state === 'works');
    }
    // What runs at this moment has the same limit, and knows what the program has printed.
    await condition(() => program.round !== 'running', ROUND_GRACE_MS);
    program.over ??= { kind: 'stopped', failure: 'timeout', message: `no end after ${input.timeoutMs}ms of work` };
  };
  const remaining = () => input.timeoutMs - time.spentMs(Date.now());
  scope.run(watch).catch((error: unknown) => {
    if (!isCancellation(error)) throw error;
  });
  return () => scope.cancel();
}
