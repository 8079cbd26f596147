/** What waits in a session that runs no turn, by kind. */
export interface WaitingWork<Due, Round> {
  permissions: number;
  titles: number;
  /** A history is to be shortened. */
  compaction: boolean;
  records: number;
  facts: number;
  injected: number;
  /** Messages, and word of agents and jobs that have ended. */
  queued: number;
  /** What is queued waits for a person's next word, and so does all that would begin a turn by itself. */
  parked: boolean;
  /** Looked at only where nothing is queued. */
  reminders: () => Due | undefined;
  round: () => Round | undefined;
}

/** One thing a session does before it looks again. */
export type Work<Due, Round> =
  | { kind: 'permissions' | 'titles' | 'compaction' | 'record' | 'facts' | 'injection' | 'message' }
  | { kind: 'reminders'; due: Due }
  | { kind: 'round'; round: Round };

/** What to do next, if anything: context before messages, because the next turn's model should see it; what nobody asked for last. */
export function nextWork<Due, Round>(waiting: WaitingWork<Due, Round>): Work<Due, Round> | undefined {
  if (waiting.permissions > 0) return { kind: 'permissions' };
  if (waiting.titles > 0) return { kind: 'titles' };
  if (waiting.compaction) return { kind: 'compaction' };
  if (waiting.records > 0) return { kind: 'record' };
  if (waiting.facts > 0) return { kind: 'facts' };
  if (waiting.injected > 0) return { kind: 'injection' };
  if (waiting.queued > 0) return waiting.parked ? undefined : { kind: 'message' };
  const due = waiting.reminders();
  if (due !== undefined) return { kind: 'reminders', due };
  const round = waiting.round();
  return round === undefined ? undefined : { kind: 'round', round };
}
