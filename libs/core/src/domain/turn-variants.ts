import { z } from 'zod';
import type { TurnEndReasonMap, TurnTriggerMap } from './events.ts';
import { LlmFailureSchema } from './llm-failure.ts';
import { MessageSourceSchema } from './message-sources.ts';
import { Natural } from './scalars.ts';
import { VariantRegistry } from './variant-registry.ts';

/** Strict validators of every reason a turn opens for. */
export const turnTriggers = new VariantRegistry<TurnTriggerMap, 'kind'>({ tag: 'kind', noun: 'turn trigger' });

turnTriggers.register('message', z.strictObject({ kind: z.literal('message'), source: MessageSourceSchema }));
turnTriggers.register('injection', z.strictObject({ kind: z.literal('injection'), source: MessageSourceSchema }));

/** Strict validators of every way a turn ends. */
export const turnEndReasons = new VariantRegistry<TurnEndReasonMap, 'kind'>({ tag: 'kind', noun: 'turn end reason' });

const errorEnd = { kind: z.literal('error'), step: Natural };

turnEndReasons.register('completed', z.strictObject({ kind: z.literal('completed') }));
turnEndReasons.register('aborted', z.strictObject({ kind: z.literal('aborted') }));
turnEndReasons.register('disposed', z.strictObject({ kind: z.literal('disposed') }));
turnEndReasons.register('max-tokens', z.strictObject({ kind: z.literal('max-tokens') }));
turnEndReasons.register('interrupted', z.strictObject({ kind: z.literal('interrupted') }));
turnEndReasons.register('rejected', z.strictObject({ kind: z.literal('rejected'), reason: z.string() }));
turnEndReasons.register(
  'error',
  z.union([
    z.strictObject({ ...errorEnd, failure: LlmFailureSchema }),
    z.strictObject({ ...errorEnd, message: z.string(), code: z.string().exactOptional() }),
  ]),
);
