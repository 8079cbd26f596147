import { ApplicationFailure, Context } from '@temporalio/activity';
import type { RunProgramInput, RunProgramResult } from '../contract/index.ts';
import { commit } from '../projection/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { failingAs } from './failure.ts';
import { keepBeating } from './heartbeat.ts';
import { advance } from './programs/advance.ts';
import { tellCalls } from './programs/tell-calls.ts';
import { newsOf } from './programs/news-of.ts';
import { tellEnd } from './programs/tell-end.ts';

/**
 * Runs a program up to its next calls or its end, from its beginning or from where this process kept it. It has no
 * effect of its own: a lost attempt is simply made again, here or elsewhere.
 */
export function runProgramActivity(deps: ActivityDeps) {
  return (input: RunProgramInput): Promise<RunProgramResult> =>
    failingAs(async () => {
      const cancelled = new AbortController();
      const gone = new AbortController();
      const stopBeating = keepBeating(Context.current(), (news) =>
        (news === 'cancel-requested' ? cancelled : gone).abort(),
      );
      try {
        const { acks } = await commit(deps.projection, input);
        const signal = AbortSignal.any([cancelled.signal, gone.signal]);
        const { running, end } = await advance(deps, input, signal);
        if (gone.signal.aborted) {
          if (running) await deps.programs.close(running);
          throw ApplicationFailure.retryable('the worker stops; the program runs again on another', 'WORKER_SHUTDOWN');
        }
        const told = end ? await tellEnd(deps, input, { running, end }) : await tellCalls(deps, input, running);
        const news = running && newsOf(input, running);
        return { ...told, acks, registry: deps.registry.version(input), ...(news && { news }) };
      } finally {
        stopBeating();
      }
    });
}
