import type {
  CallId,
  ChildStop,
  DelegationMode,
  Goal,
  GoalChange,
  GoalRef,
  MessageSource,
  RequestId,
  ScriptAgentOutcome,
  SessionId,
  TenantId,
} from '@everturn/core/domain';
import type { SessionStatus } from '@everturn/core/protocol';

/** One run of an agent that works for another: of one task, or from its beginning to its settling. */
export interface AgentRun {
  runId: string;
  /** Its session. */
  id: SessionId;
  mode: DelegationMode;
  /** It runs in this deployment. */
  local: true;
}

/** An agent of a script, for those who watch. */
export interface ScriptAgentIdentity {
  /** Counts the agents of the run from 1. */
  seq: number;
  label: string;
  phase?: string;
  childId: SessionId;
}

/** Something that happens now and is no event: never stored, never replayed, lost when nobody listens. */
export type LiveNotification = { tenant: TenantId; session: SessionId } & (
  | { kind: 'agent/created'; source: 'startup' | 'resume' }
  | { kind: 'agent/disposed' }
  | { kind: 'agent/status'; status: SessionStatus }
  | { kind: 'agent/queued'; requestId: RequestId; preview: string; source: MessageSource; steering: boolean }
  | { kind: 'agent/cancel-requested'; cause: 'user' | 'parent' }
  | { kind: 'agent/error'; turn: number; step: number; message: string; code?: string }
  | { kind: 'queue/changed'; length: number }
  /** Once the log has it; a goal that was cleared is not there any more. */
  | { kind: 'goal/changed'; operation: GoalChange['operation']; ref: GoalRef; goal?: Goal }
  | { kind: 'tool/started'; turn: number; step: number; callId: CallId; name: string }
  | ({ kind: 'subagent/start' } & AgentRun)
  | ({ kind: 'subagent/end'; stopReason: ChildStop } & AgentRun)
  | { kind: 'workflow/start'; runId: string; name: string }
  | { kind: 'workflow/phase'; runId: string; title: string }
  | { kind: 'workflow/log'; runId: string; message: string }
  | ({ kind: 'workflow/agent-start'; runId: string } & ScriptAgentIdentity)
  | ({ kind: 'workflow/agent-end'; runId: string; outcome: ScriptAgentOutcome } & ScriptAgentIdentity)
  | { kind: 'workflow/end'; runId: string; stopReason: 'completed' | 'cancelled' | 'error' }
  | { kind: 'tool/ended'; turn: number; step: number; callId: CallId; name: string; isError: boolean }
);

/**
 * The sink workflow code tells the worker through (`proxySinks<LiveSinks>()`); not called during replay.
 * Delivery is best effort: what must not be lost goes into the log or a row.
 */
export type LiveSinks = { live: { publish(notification: LiveNotification): void } };
