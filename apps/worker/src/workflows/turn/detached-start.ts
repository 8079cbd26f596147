import { askListeners } from '../shared/ask-listeners.ts';
import { Stop } from '../shared/stop.ts';
import { appendContexts, askerOf, type TurnState } from './turn-state.ts';

/** A session's start, told to listeners that may take long, while its first turn goes on. */
export interface DetachedStart {
  readonly stop: Stop;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** Tells of the start and does not wait; what comes of it is written at the next boundary of a step. */
export function detachStart(turn: TurnState, source: 'startup' | 'resume'): void {
  const stop = new Stop();
  const tell = async (): Promise<void> => {
    const verdict = await askListeners({ ...askerOf(turn), stop }, { point: 'agent/session-start', source });
    if (verdict.kind === 'decided') turn.startContexts.push(...(verdict.contexts ?? []));
  };
  const over = () => {
    delete turn.start;
  };
  // Whatever fails here fails the turn's own work, too, which handles it.
  turn.start = { stop, done: tell().then(over, over) };
}

/** Writes what listeners to the start have for the model. */
export function appendStartContexts(turn: TurnState): void {
  appendContexts(turn, turn.startContexts.splice(0));
}

/** A turn that ends waits no longer than it takes to stop them. */
export async function endStart(turn: TurnState): Promise<void> {
  turn.start?.stop.request();
  await turn.start?.done;
}
