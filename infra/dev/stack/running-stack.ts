import { InfraError } from '../../process/infra-error.ts';
import { holderOf } from '../../process/pid-file.ts';
import { poll } from '../../process/poll.ts';
import type { StackPaths } from './paths.ts';
import type { Tell } from './progress.ts';
import { readState, type StackState } from './state-file.ts';

/** Words on the command line of every supervisor. */
export const supervisorMarks = ['infra/dev/up.ts'];

/** The pid of the `up` that runs on this data folder, if one does. */
export function supervisorPid(paths: StackPaths): number | undefined {
  return holderOf(paths.pidFile, supervisorMarks);
}

/** Waits until the running stack is ready, which it may just be becoming. */
export async function readyStack(paths: StackPaths, pid: number, tell: Tell): Promise<StackState> {
  const timeoutMs = 5 * 60_000;
  const outcome = await poll(
    () => {
      if (supervisorPid(paths) !== pid) return 'gone' as const;
      const state = readState(paths.state);
      if (state?.ready && state.supervisorPid === pid) return state;
      tell(`pid ${pid} is starting: ${Object.keys(state?.services ?? {}).join(', ') || 'nothing'} up so far`);
      return undefined;
    },
    timeoutMs,
    500,
  );
  if (outcome === 'gone')
    throw new InfraError('INFRA_PROCESS_DIED', `the running stack (pid ${pid}) ended`, 'run `npm run up` again');
  if (outcome === undefined)
    throw new InfraError(
      'INFRA_NOT_READY',
      `the stack of pid ${pid} did not get ready`,
      'try `npm run down`, then `npm run up`',
    );
  return outcome;
}
