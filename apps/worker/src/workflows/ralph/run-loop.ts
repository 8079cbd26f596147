import type { RalphResult } from '../../contract/index.ts';
import { continueDue, continueLoop } from './continue-loop.ts';
import { beginLog, endLog } from './loop-log.ts';
import type { LoopState } from './loop-state.ts';
import { runRound } from './run-round.ts';

/** Runs round after round until one of them ends the loop. */
export async function runLoop(loop: LoopState): Promise<RalphResult> {
  if (!loop.input.carried) beginLog(loop);
  for (;;) {
    const ended = await runRound(loop);
    if (ended.kind === 'over') {
      endLog(loop, ended.outcome);
      await loop.writer.flush();
      return { outcome: ended.outcome, highestAcknowledged: loop.writer.highestAcknowledged };
    }
    const next = continueDue(loop) ? await continueLoop(loop) : undefined;
    if (next) return next;
  }
}
