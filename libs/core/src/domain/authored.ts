import type { BlobRef } from './blob.ts';
import type { AuthoredSurfaceOp, SessionEventMap, SessionEventType, SourceRef, SurfaceEventType } from './events.ts';
import type { EventId } from './ids.ts';

/** Members that may travel as a reference; `commit` puts the value back before it writes the row. */
export const REF_MEMBERS = ['content', 'arguments', 'header', 'body'] as const;
export type RefMember = (typeof REF_MEMBERS)[number];
type WithRefs<T> = { [K in keyof T]: K extends RefMember ? T[K] | BlobRef : T[K] };

/** An event's payload as its author writes it, large members possibly by reference. */
export type AuthoredDataOf<T extends SessionEventType> = WithRefs<SessionEventMap[T]>;

/** Where a surface event stands and what it was made from, in names that `commit` resolves to numbers. */
export interface AuthoredSurface {
  surfaceOp: AuthoredSurfaceOp;
  sources?: readonly SourceRef[];
}

type AuthoredSurfaceOf<T extends SessionEventType> = T extends SurfaceEventType
  ? AuthoredSurface
  : { surfaceOp?: never; sources?: never };

/** An event as its author names it, before `commit` numbers it. `time` in epoch ms as stamped. */
export type AuthoredEventOf<T extends SessionEventType> = {
  eid: EventId;
  type: T;
  time: number;
  data: AuthoredDataOf<T>;
} & AuthoredSurfaceOf<T>;
export type AuthoredEvent = { [T in SessionEventType]: AuthoredEventOf<T> }[SessionEventType];

/** What `commit` answers for one event: its number and its time after clamping. */
export interface Ack {
  eid: EventId;
  seq: number;
  time: number;
}
