import { z } from 'zod';
import { StreamChunkSchema, TokenUsageSchema } from './chunk-schema.ts';
import { ContentSchema } from './content-blocks.ts';
import { registerEvent } from './event-registry.ts';
import { CallId } from './ids.ts';
import { JsonValue } from './json.ts';
import { LlmFailureSchema } from './llm-failure.ts';
import { MessageSourceSchema } from './message-sources.ts';
import { AssistantProvenanceSchema, EpochHeaderSchema } from './request-schema.ts';
import { Natural, Ordinal } from './scalars.ts';
import { turnEndReasons, turnTriggers } from './turn-variants.ts';

const inTurn = { turn: Ordinal };
const inStep = { turn: Ordinal, step: Ordinal };
const message = { content: ContentSchema, source: MessageSourceSchema };

registerEvent('turn/start', { schema: z.strictObject({ ...inTurn, trigger: turnTriggers.schema }) });
registerEvent('turn/end', { schema: z.strictObject({ ...inTurn, reason: turnEndReasons.schema }) });
registerEvent('step/start', { schema: z.strictObject(inStep) });
registerEvent('step/end', { schema: z.strictObject(inStep), enclosure: 'step' });

registerEvent('user/message', { schema: z.strictObject(message), surface: true });
registerEvent('prompt/blocked', { schema: z.strictObject({ ...message, reason: z.string() }) });
registerEvent('context/message', {
  schema: z.strictObject({ ...message, meta: JsonValue.exactOptional() }),
  surface: true,
});
registerEvent('steering/message', { schema: z.strictObject({ ...inTurn, ...message }), surface: true });

registerEvent('request/header', {
  schema: z.strictObject({ header: EpochHeaderSchema, reason: z.enum(['initial', 'resume', 'change']) }),
  enclosure: 'step',
});
registerEvent('assistant/chunk', {
  schema: z.strictObject({ ...inStep, chunk: StreamChunkSchema }),
  enclosure: 'step',
});
registerEvent('assistant/message', {
  schema: z.strictObject({
    ...inStep,
    content: ContentSchema,
    provenance: AssistantProvenanceSchema,
    usage: TokenUsageSchema.exactOptional(),
  }),
  enclosure: 'step',
  surface: true,
});
registerEvent('tool/call', {
  schema: z.strictObject({ ...inStep, callId: CallId, name: z.string(), arguments: z.string() }),
  enclosure: 'step',
});
registerEvent('tool/result', {
  schema: z.strictObject({
    ...inStep,
    callId: CallId,
    content: ContentSchema,
    isError: z.boolean(),
    error: z.strictObject({ name: z.string().min(1), code: z.string().min(1) }).exactOptional(),
    meta: JsonValue.exactOptional(),
  }),
  enclosure: 'step',
  surface: true,
});

registerEvent('todo/write', {
  schema: z.strictObject({
    todos: z.array(z.strictObject({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
  }),
});
registerEvent('deliverables/presented', {
  schema: z.strictObject({
    ...inTurn,
    callId: CallId,
    files: z.array(z.strictObject({ path: z.string(), description: z.string().exactOptional() })),
  }),
  enclosure: 'step',
});
registerEvent('web/deepseek-search-llm-request', {
  schema: z.strictObject({ endpoint: z.string(), apiVersion: z.string(), body: z.json() }),
  enclosure: 'step',
});
registerEvent('llm/retry', {
  schema: z.strictObject({
    ...inStep,
    retry: Ordinal,
    maxRetries: Ordinal,
    delayMs: Natural,
    failure: LlmFailureSchema,
  }),
});
registerEvent('approval/asked', {
  schema: z.strictObject({
    id: z.string().min(1),
    toolName: z.string(),
    callId: CallId.exactOptional(),
    reason: z.string().exactOptional(),
  }),
  pair: { opens: 'approval', key: (asked) => asked.id },
});
registerEvent('approval/decided', {
  schema: z.strictObject({
    id: z.string().min(1),
    outcome: z.enum(['allowed-once', 'rejected', 'cancelled', 'unavailable']),
  }),
  pair: { closes: 'approval', key: (decided) => decided.id },
});
