import { z } from 'zod';
import { ContentSchema } from './content-blocks.ts';
import type { ContentBlock } from './content.ts';
import { registerEvent } from './event-registry.ts';
import { Natural, Ordinal } from './scalars.ts';
import { turnTriggers } from './turn-variants.ts';

/** Nodes of the surface that something stands in for, and what they cost a model. */
export interface Shadow {
  shadowedRange: { start: number; end: number };
  shadowedSeqs: number[];
  shadowedTokenCount: number;
}

declare module './events.ts' {
  interface SessionEventMap {
    'compact/start': { turn: number };
    'compact/summary': Shadow & { summary: ContentBlock[]; provider: string; model: string; maxTokens?: number };
    'compact/end': { turn: number; error?: string };
    /** Goes directly before the shortened copy of a result, so that a meter knows what the original cost. */
    'compact/prune': Shadow;
  }
  interface TurnTriggerMap {
    compact: { kind: 'compact' };
  }
}

const shadow = {
  shadowedRange: z.strictObject({ start: Natural, end: Natural }),
  shadowedSeqs: z.array(Natural).min(1),
  shadowedTokenCount: Natural,
};

registerEvent('compact/start', { schema: z.strictObject({ turn: Ordinal }) });
registerEvent('compact/summary', {
  schema: z.strictObject({
    ...shadow,
    summary: ContentSchema,
    provider: z.string(),
    model: z.string(),
    maxTokens: Ordinal.exactOptional(),
  }),
});
registerEvent('compact/end', { schema: z.strictObject({ turn: Ordinal, error: z.string().exactOptional() }) });
registerEvent('compact/prune', { schema: z.strictObject(shadow) });
turnTriggers.register('compact', z.strictObject({ kind: z.literal('compact') }));
