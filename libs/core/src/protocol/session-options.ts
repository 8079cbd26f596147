import { z } from 'zod';
import {
  AllowedModels,
  ApprovalPolicy,
  DelegationMode,
  JsonValue,
  NetworkMode,
  PlanEnforcement,
  PresetName,
  SandboxMode,
  ToolFilter,
  SessionId,
} from '../domain/index.ts';

export const StepIsolation = z.enum(['child', 'inline']);
/** Whether a step is a workflow of its own or runs inside its turn; the log is the same. */
export type StepIsolation = z.infer<typeof StepIsolation>;

/** What a session's tools may do from its first turn on; what is absent the deployment decides. */
export const PermissionOptions = z.strictObject({
  preset: PresetName.optional(),
  sandboxMode: SandboxMode.optional(),
  approvalPolicy: ApprovalPolicy.optional(),
  /** Fixed for the session's life. */
  network: NetworkMode.optional(),
});
export type PermissionOptions = z.infer<typeof PermissionOptions>;

export const ToolsMode = z.enum(['native', 'ptc', 'both']);
/** How a model calls tools: one by one, only from programs it writes (`run_code`), or either way. */
export type ToolsMode = z.infer<typeof ToolsMode>;

/** How an agent was made a child of another; only the worker that makes it says so. */
export const Delegation = z.strictObject({
  mode: DelegationMode,
  /** Who made it: `spawn`, `fork`. */
  provider: z.string().min(1),
  label: z.string(),
  /** Takes the place of the deployment's persona. */
  persona: z.string().optional(),
  toolFilter: ToolFilter.optional(),
  /** What its last word must be, as data. */
  outputSchema: z.record(z.string(), JsonValue).optional(),
  /** Of a member of a team: the session that leads it. */
  team: z.strictObject({ lead: SessionId }).optional(),
});
export type Delegation = z.infer<typeof Delegation>;

/** What a session was asked to be; chosen at creation. */
export const SessionOptions = z.strictObject({
  provider: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().positive().optional(),
  stop: z.array(z.string().min(1)).max(16).optional(),
  reasoningEffort: z.enum(['off', 'low', 'medium', 'high', 'max']).optional(),
  systemPrompt: z.string().optional(),
  tools: z.strictObject({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }).optional(),
  toolsMode: ToolsMode.optional(),
  /** Optional sets of tools, such as `terminal`; absent = those of the deployment. */
  toolsets: z.array(z.string().min(1).max(64)).max(64).optional(),
  stepIsolation: StepIsolation.optional(),
  permissions: PermissionOptions.optional(),
  delegation: Delegation.optional(),
  /** Models its model may choose from for agents it starts; absent = agents have the session's own. */
  subagentModels: AllowedModels.optional(),
  /** Begins in plan mode: the model plans, and acts once a person has approved. */
  planMode: z.boolean().optional(),
  /** Whether plan mode also refuses tools that are not read-only; absent = as the deployment has it. */
  planEnforcement: PlanEnforcement.optional(),
  metadata: z.record(z.string(), JsonValue).optional(),
});
export type SessionOptions = z.infer<typeof SessionOptions>;

/** Where a session stands. `broken` = readable, and only `session recover` or resume mends it. */
export type SessionStatus = 'starting' | 'idle' | 'running' | 'waiting' | 'broken' | 'closed';
