import type { Asker } from '../shared/ask-listeners.ts';
import { stepRef, type StepState } from './step-state.ts';

/** The step as listeners see it. */
export function askerOf(step: StepState): Asker {
  return {
    ref: stepRef(step.input),
    turn: step.input.turn,
    step: step.input.step,
    writer: step.writer,
    stop: step.stop,
    saw(registry) {
      step.registry = registry;
    },
  };
}
