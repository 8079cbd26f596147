import { z } from 'zod';
import type { ContentBlock, ContentBlockMap } from './content.ts';
import { CallId } from './ids.ts';
import { VariantRegistry } from './variant-registry.ts';

/** Strict validators of every kind of content block. */
export const contentBlocks = new VariantRegistry<ContentBlockMap, 'type'>({ tag: 'type', noun: 'content block' });

/** Any registered content block. */
export const ContentBlockSchema: z.ZodType<ContentBlock> = contentBlocks.schema;
/** The content of a message or a result. */
export const ContentSchema = z.array(ContentBlockSchema);

contentBlocks.register('text', z.strictObject({ type: z.literal('text'), text: z.string() }));
contentBlocks.register('reasoning', z.strictObject({ type: z.literal('reasoning'), text: z.string() }));
contentBlocks.register(
  'tool-call',
  z.strictObject({ type: z.literal('tool-call'), id: CallId, name: z.string(), arguments: z.string() }),
);
contentBlocks.register(
  'tool-result',
  z.strictObject({
    type: z.literal('tool-result'),
    toolCallId: CallId,
    content: ContentSchema,
    isError: z.boolean().exactOptional(),
  }),
);
