import { z } from 'zod';
import { messageSources } from './message-sources.ts';

declare module './messages.ts' {
  interface MessageSourceMap {
    /** The skills a model may load, as of then. */
    'skill-catalog': { kind: 'skill-catalog'; form: 'catalog'; entries: { name: string; description: string }[] };
    /** A skill a person called for. */
    'skill-invocation': { kind: 'skill-invocation'; name: string };
  }
}

messageSources.register(
  'skill-catalog',
  z.strictObject({
    kind: z.literal('skill-catalog'),
    form: z.literal('catalog'),
    entries: z.array(z.strictObject({ name: z.string().min(1), description: z.string() })),
  }),
);
messageSources.register(
  'skill-invocation',
  z.strictObject({ kind: z.literal('skill-invocation'), name: z.string().min(1) }),
);
