import type { BlobRef } from './blob.ts';
import type { AuthoredSurfaceOp, SessionEventMap, SessionEventType, SourceRef, SurfaceEventType } from './events.ts';
import type { EventId } from './ids.ts';

/** Members that may travel as a reference; `commit` puts the value back before it writes the row. */
export type RefMember = 'content' | 'arguments' | 'header';
type WithRefs<T> = { [K in keyof T]: K extends RefMember ? T[K] | BlobRef : T[K] };

type AuthoredSurface<T extends SessionEventType> = T extends SurfaceEventType
  ? { surfaceOp: AuthoredSurfaceOp; sources?: SourceRef[] }
  : { surfaceOp?: never; sources?: never };

/** An event as its author names it, before `commit` numbers it. `time` in epoch ms as stamped. */
export type AuthoredEventOf<T extends SessionEventType> = {
  eid: EventId;
  type: T;
  time: number;
  data: WithRefs<SessionEventMap[T]>;
} & AuthoredSurface<T>;
export type AuthoredEvent = { [T in SessionEventType]: AuthoredEventOf<T> }[SessionEventType];

/** What `commit` answers for one event: its number and its time after clamping. */
export interface Ack {
  eid: EventId;
  seq: number;
  time: number;
}
