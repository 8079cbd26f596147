import type { TurnEndReason } from '@everturn/core/domain';
import type { TurnResult } from '../../contract/index.ts';
import { askListeners } from '../shared/ask-listeners.ts';
import { listens } from '../step/step-state.ts';
import { appendStartContexts, endStart } from './detached-start.ts';
import { describeTurn, endOfTurn } from './turn-details.ts';
import { appendNotices } from './turn-permissions.ts';
import { askerOf, type TurnState } from './turn-state.ts';

/** Ends the turn in the log and waits until that is stored; then nothing of it is lost. */
export async function closeTurn(turn: TurnState, reason: TurnEndReason): Promise<TurnResult> {
  const { message, turn: number } = turn.input;
  turn.usage = { ...turn.usage, turns: turn.usage.turns + 1 };
  if (turn.start) await endStart(turn);
  appendStartContexts(turn);
  appendNotices(turn); // the next turn's model is to know, too
  turn.writer.append('turn/end', { turn: number, reason });
  turn.writer.change({
    openTurn: null,
    usage: turn.usage,
    prompts: [{ promptId: message.requestId, state: 'done', turn: number }],
  });
  describeTurn(turn, endOfTurn(reason));
  await turn.writer.flush();
  const { assembly } = turn;
  // A listener of the checkpoint that fails is logged where it runs; it never blocks later turns.
  if (assembly && listens({ assembly }, 'session/flush'))
    await askListeners(askerOf(turn), { point: 'session/flush' }, { whenStopped: 'ask' });
  if (turn.lateSteering === 'discard') turn.steering.discard();
  return {
    reason,
    consumed: turn.consumed,
    ...(message.source.kind === 'goal' && turn.message === 'admitted' && { admitted: true as const }),
    discarded: turn.steering.state().discarded,
    instance: turn.instance,
    usage: turn.usage,
    highestAcknowledged: turn.writer.highestAcknowledged,
    preview: turn.preview,
    ...(turn.knobs && { knobs: turn.knobs }),
    ...(turn.title !== undefined && { title: turn.title }),
    ...(turn.titleDue && { titleDue: turn.titleDue }),
  };
}
