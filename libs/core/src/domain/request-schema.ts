import { z } from 'zod';
import { ContentSchema } from './content-blocks.ts';
import { JsonValue } from './json.ts';
import type { JsonObject } from './json.ts';
import type { AssistantProvenance, Message } from './messages.ts';
import type { EpochHeader, LlmCallConfig, ToolSchema } from './requests.ts';

/** The strict shape of {@link AssistantProvenance}; both names are required. */
export const AssistantProvenanceSchema: z.ZodType<AssistantProvenance> = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  replayState: JsonValue.exactOptional(),
});

/** The strict shape of {@link Message}; only an assistant has a provenance. */
export const MessageSchema: z.ZodType<Message> = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant']),
    content: ContentSchema,
    provenance: AssistantProvenanceSchema.exactOptional(),
  })
  .refine((message) => message.provenance === undefined || message.role === 'assistant', {
    path: ['provenance'],
    message: 'only an assistant message has a provenance',
  });

export const ReasoningEffortSchema = z.enum(['off', 'low', 'medium', 'high', 'max']);

/** Sampling options as {@link LlmCallConfig} and agent options share them. */
export const samplingShape = {
  temperature: z.number().nonnegative().exactOptional(),
  maxTokens: z.int().positive().exactOptional(),
  stop: z.array(z.string()).exactOptional(),
  reasoningEffort: ReasoningEffortSchema.exactOptional(),
};

/** The strict shape of {@link LlmCallConfig}; provider and model are required. */
export const LlmCallConfigSchema: z.ZodType<LlmCallConfig> = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  ...samplingShape,
});

/** The strict shape of {@link ToolSchema}. */
export const ToolSchemaSchema: z.ZodType<ToolSchema> = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  // As with `JsonValue`: zod's own type is mutable, ours is frozen.
  parameters: z.record(z.string(), JsonValue) as unknown as z.ZodType<JsonObject>,
});

/** The strict shape of {@link EpochHeader}. */
export const EpochHeaderSchema: z.ZodType<EpochHeader> = z.strictObject({
  config: LlmCallConfigSchema,
  system: z.string().exactOptional(),
  tools: z.array(ToolSchemaSchema).exactOptional(),
  messagePrefix: z.array(MessageSchema).exactOptional(),
});
