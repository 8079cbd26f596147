import { isSurfaceType } from './event-registry.ts';
import type { SessionEvent, SurfaceEvent } from './events.ts';

/** What people see of a session: everything once appended to the surface, in log order, replaced or not. */
export function humanTranscript(events: readonly SessionEvent[]): SurfaceEvent[] {
  return events.filter((event): event is SurfaceEvent => isSurfaceType(event.type) && event.surfaceOp === 'append');
}
