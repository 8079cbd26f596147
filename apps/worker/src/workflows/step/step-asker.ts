import type { Asker } from '../shared/ask-listeners.ts';
import type { HostId } from '@everturn/core/domain';
import { placeCall } from './place-call.ts';
import { actsOnMachine, stepRef, type StepState } from './step-state.ts';

/** The step as listeners see it. */
export function askerOf(step: StepState): Asker {
  return {
    ref: stepRef(step.input),
    turn: step.input.turn,
    step: step.input.step,
    owner: step.input.owner,
    hooks: step.assembly.hooks,
    writer: step.writer,
    stop: step.stop,
    saw(registry) {
      step.registry = registry;
    },
    machineFor: (point) => (actsOnMachine(step, point) ? () => machineOf(step) : undefined),
  };
}

async function machineOf(step: StepState): Promise<HostId | undefined> {
  const place = await placeCall(step, 'host');
  return place.kind === 'host' ? place.host : undefined;
}
