import type { CallId, MessageSource, RequestId, SessionId, TenantId } from '@everturn/core/domain';
import type { SessionStatus } from '@everturn/core/protocol';

/** Something that happens now and is no event: never stored, never replayed, lost when nobody listens. */
export type LiveNotification = { tenant: TenantId; session: SessionId } & (
  | { kind: 'agent/created'; source: 'startup' | 'resume' }
  | { kind: 'agent/disposed' }
  | { kind: 'agent/status'; status: SessionStatus }
  | { kind: 'agent/queued'; requestId: RequestId; preview: string; source: MessageSource; steering: boolean }
  | { kind: 'agent/cancel-requested'; cause: 'user' | 'parent' }
  | { kind: 'agent/error'; turn: number; step: number; message: string; code?: string }
  | { kind: 'queue/changed'; length: number }
  | { kind: 'tool/started'; turn: number; step: number; callId: CallId; name: string }
  | { kind: 'tool/ended'; turn: number; step: number; callId: CallId; name: string; isError: boolean }
);

/**
 * The sink workflow code tells the worker through (`proxySinks<LiveSinks>()`); not called during replay.
 * Delivery is best effort: what must not be lost goes into the log or a row.
 */
export type LiveSinks = { live: { publish(notification: LiveNotification): void } };
