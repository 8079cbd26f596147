import type { EventSurface, SearchHit, SessionEvent, SessionId } from '@everturn/core/domain';

/** A session as the caller may see it; what lies outside of its folder is told of without a name. */
export type SeenSession =
  | { kind: 'session'; session: SessionId; title: string; createdAt: number; live: boolean }
  | { kind: 'outside' };

/** Of events; times in epoch ms. */
export interface QueryEventFilters {
  types?: readonly string[];
  surfaces?: readonly EventSurface[];
  seqFrom?: number;
  seqTo?: number;
  timeFrom?: number;
  timeTo?: number;
}

export interface QuerySessionFilters {
  sessions?: readonly SessionId[];
  createdFrom?: number;
  createdTo?: number;
  parents?: readonly SessionId[];
  roots?: boolean;
  availability?: readonly ('live' | 'persisted')[];
}

/** A session found, with the best of its events. */
export interface FoundSession {
  session: SessionId;
  title: string;
  createdAt: number;
  live: boolean;
  parent: SeenSession | 'root';
  best: SearchHit;
}

/** What the sessions of a caller's folder say. Every failure is a `ToolError` with a `SESSION_QUERY_…` code. */
export interface SessionQueryPort {
  search(input: {
    query: string;
    limit: number;
    sessions: QuerySessionFilters;
    events: QueryEventFilters;
  }): Promise<FoundSession[]>;
  /** Of the caller itself, only what is before its current step. */
  searchEvents(input: {
    session?: SessionId;
    query: string;
    limit: number;
    events: QueryEventFilters;
  }): Promise<{ title: string; session: SessionId; hits: SearchHit[] }>;
  trace(input: { session?: SessionId }): Promise<{
    target: Extract<SeenSession, { kind: 'session' }>;
    ancestors: SeenSession[];
    descendants: (SeenSession & { depth: number })[];
  }>;
  traceEvent(input: { session?: SessionId; seq: number }): Promise<{
    session: SessionId;
    type: string;
    time: number;
    replacedBy?: number;
    replacementChain: number[];
    replacedEventSeqs: number[];
    sourceEventSeqs: number[];
    derivedEventSeqs: number[];
  }>;
  read(input: { session?: SessionId; seq: number; before: number; after: number }): Promise<{
    target: SessionEvent;
    before: SessionEvent[];
    after: SessionEvent[];
  }>;
}
