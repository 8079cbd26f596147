import type { SessionEventMap, SessionEventType } from './events.ts';

/** An event before anybody has named it. */
export type SessionFact = { [T in SessionEventType]: { type: T; data: SessionEventMap[T] } }[SessionEventType];
