import { proxySinks } from '@temporalio/workflow';
import type { LiveNotification, LiveSinks } from '../../contract/index.ts';
import type { SessionState } from './session-state.ts';

type Announcement = LiveNotification extends infer N
  ? N extends LiveNotification
    ? Omit<N, 'tenant' | 'session'>
    : never
  : never;

const { live } = proxySinks<LiveSinks>();

/** Tells whoever listens right now; lost when nobody does, and never repeated by a replay. */
export function publishLive(session: SessionState, announcement: Announcement): void {
  const { tenant, session: id } = session.input;
  live.publish({ tenant, session: id, ...announcement });
}
