import { z } from 'zod';
import { registerEvent } from './event-registry.ts';
import { ModelChoice } from './step-knobs.ts';
import { turnTriggers } from './turn-variants.ts';

declare module './events.ts' {
  interface SessionEventMap {
    /** The last one counts; it changes between two steps. */
    'plan/mode': { active: boolean };
    /** The last one counts, before what the session was created with. */
    'model/choice': ModelChoice;
  }
  interface TurnTriggerMap {
    'plan-mode': { kind: 'plan-mode' };
    'model-choice': { kind: 'model-choice' };
  }
}

registerEvent('plan/mode', { schema: z.strictObject({ active: z.boolean() }), outOfBand: true });
registerEvent('model/choice', { schema: ModelChoice, outOfBand: true });
turnTriggers.register('plan-mode', z.strictObject({ kind: z.literal('plan-mode') }));
turnTriggers.register('model-choice', z.strictObject({ kind: z.literal('model-choice') }));
