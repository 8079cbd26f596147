import { z } from 'zod';
import type { MessageSource, MessageSourceMap } from './messages.ts';
import { VariantRegistry } from './variant-registry.ts';

/** Strict validators of every kind of message source. */
export const messageSources = new VariantRegistry<MessageSourceMap, 'kind'>({ tag: 'kind', noun: 'message source' });

/** Any registered message source. */
export const MessageSourceSchema: z.ZodType<MessageSource> = messageSources.schema;

messageSources.register(
  'user',
  z.strictObject({
    kind: z.literal('user'),
    rpcId: z.string().exactOptional(),
    clientTimeZone: z.string().exactOptional(),
  }),
);
messageSources.register(
  'plugin',
  z.strictObject({
    kind: z.literal('plugin'),
    plugin: z.string().min(1),
    form: z.string().exactOptional(),
    summary: z.string().exactOptional(),
  }),
);
