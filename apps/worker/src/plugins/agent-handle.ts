import type { ContentBlock, JsonValue, MessageSource, RequestId, SessionId, TenantId } from '@everturn/core/domain';
import type { SessionOptions, SessionStatus } from '@everturn/core/protocol';

/** What a plugin gives a session to read: text, or blocks. */
export type HandleContent = string | readonly ContentBlock[];

export interface HandleMessage {
  /** Who says it; default: a plugin, since only people speak as people. */
  source?: MessageSource;
  /** Sent twice under one id it counts once. Default: a new one, or, in a listener, one its question gives. */
  requestId?: RequestId;
}

/**
 * A session in the hands of a plugin: what a client can do through the API, from inside a worker. What is sent is kept
 * before it is sent, so that it is not lost, and comes in the order it was sent in. Every verb but `cancel` throws
 * `PLUGIN_SESSION_ENDED` where the session is closed, broken or unknown.
 */
export interface AgentHandle {
  readonly id: SessionId;
  readonly tenant: TenantId;
  /** What it was created with. */
  options(): Promise<SessionOptions>;
  status(): Promise<SessionStatus | 'starting'>;
  /** Queues a message: a turn of its own. */
  send(content: HandleContent, message?: HandleMessage): Promise<RequestId>;
  /** Adds to the turn that runs, before its next step; where none runs, the same as `send`. */
  steer(content: HandleContent, message?: HandleMessage): Promise<RequestId>;
  /** Adds context without asking for an answer. */
  inject(content: HandleContent, message?: HandleMessage & { meta?: JsonValue }): Promise<RequestId>;
  /** Stops the turn that runs and drops what waits; idle or ended, it does nothing. */
  cancel(): Promise<void>;
  /** Resolves once nothing runs and nothing waits. A listener the turn waits for would wait for itself. */
  whenIdle(wait?: { signal?: AbortSignal }): Promise<void>;
}

export interface AgentKey {
  tenant: TenantId;
  session: SessionId;
}

/** Hands out sessions; `nextId` names what is sent without an id. */
export type AgentHandles = (key: AgentKey, nextId?: () => RequestId) => AgentHandle;
