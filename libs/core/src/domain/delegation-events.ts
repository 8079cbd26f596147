import { z } from 'zod';
import { registerEvent } from './event-registry.ts';
import { JsonValue } from './json.ts';
import { messageSources } from './message-sources.ts';

/** `one-shot`: does one task and ends; `continuable`: stays with its parent, which may write to it again. */
export const DelegationMode = z.enum(['one-shot', 'continuable']);
export type DelegationMode = z.infer<typeof DelegationMode>;

/** Which tools a child keeps of those its parent has. */
export const ToolFilter = z
  .strictObject({ allow: z.array(z.string()).exactOptional(), deny: z.array(z.string()).exactOptional() })
  .refine(({ allow, deny }) => allow !== undefined || deny !== undefined, 'a filter needs "allow" or "deny"');
export type ToolFilter = z.infer<typeof ToolFilter>;

const common = { version: z.literal(2), provider: z.string().min(1) };

/** What a child was made as; the last valid one of its own part of the log counts. */
export const SubagentDescriptor = z.union([
  z.strictObject({ ...common, mode: z.literal('one-shot'), label: z.string().exactOptional() }),
  z.strictObject({
    ...common,
    mode: z.literal('continuable'),
    label: z.string(),
    agentProvider: z.string().exactOptional(),
    agentModel: z.string().exactOptional(),
    agentReasoningEffort: z.string().exactOptional(),
    persona: z.string().exactOptional(),
    toolFilter: ToolFilter.exactOptional(),
  }),
]);
export type SubagentDescriptor = z.infer<typeof SubagentDescriptor>;

declare module './events.ts' {
  interface SessionEventMap {
    'subagent/descriptor': SubagentDescriptor;
    /** The data an agent gave as its result; the last of its own part of the log counts. */
    'subagent/output': { value: JsonValue };
  }
}
declare module './messages.ts' {
  interface MessageSourceMap {
    'subagent-settled': { kind: 'subagent-settled'; form: 'notice'; summary: string; senderSessionId: string };
    'agent-message': { kind: 'agent-message'; form: 'relay'; senderSessionId: string };
  }
}

registerEvent('subagent/descriptor', { schema: SubagentDescriptor });
registerEvent('subagent/output', { schema: z.strictObject({ value: JsonValue }), enclosure: 'step' });
messageSources.register(
  'subagent-settled',
  z.strictObject({
    kind: z.literal('subagent-settled'),
    form: z.literal('notice'),
    summary: z.string(),
    senderSessionId: z.string().min(1),
  }),
);
messageSources.register(
  'agent-message',
  z.strictObject({ kind: z.literal('agent-message'), form: z.literal('relay'), senderSessionId: z.string().min(1) }),
);
