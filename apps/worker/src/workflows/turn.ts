import { CancellationScope } from '@temporalio/workflow';
import type { TurnInput, TurnResult } from '../contract/index.ts';
import { admitPrompt } from './turn/admit-prompt.ts';
import { Answers } from './shared/answers.ts';
import { closeTurn } from './turn/close-turn.ts';
import { failByValue } from './shared/fail-by-value.ts';
import { onCancel } from './shared/on-cancel.ts';
import { runCompactionTurn } from './turn/run-compaction-turn.ts';
import { runSteps } from './turn/run-steps.ts';
import { Stop } from './shared/stop.ts';
import { listenToSession } from './turn/turn-signals.ts';
import { appendMessageFacts, openTurn } from './turn/turn-state.ts';

/** One queued message answered: a loop of steps until the model is done, is stopped, or fails. */
export async function turnWorkflow(input: TurnInput): Promise<TurnResult> {
  const answers = new Answers();
  const cancelled = onCancel();
  return CancellationScope.nonCancellable(async () => {
    const turn = openTurn(input, answers, new Stop());
    listenToSession(turn, cancelled);
    return failByValue(async () => {
      if (input.purpose === 'compact') return closeTurn(turn, await runCompactionTurn(turn));
      const refused = input.carried ? undefined : await admitPrompt(turn);
      if (!input.carried) appendMessageFacts(turn);
      return closeTurn(turn, refused ?? (await runSteps(turn)));
    });
  });
}
