/** What one workflow run has used up of its history. */
export interface HistoryUse {
  updates: number;
  signals: number;
  events: number;
  bytes: number;
  /** The server's own advice. */
  continueAsNewSuggested: boolean;
}

/** A run continues as new at the first of these. */
export const HISTORY_BUDGET = Object.freeze({ updates: 1000, events: 4000, bytes: 4 * 1024 * 1024 });
/** What a run may hand to the next, in bytes of JSON. */
export const CARRIED_STATE_LIMIT_BYTES = 256 * 1024;
/** Above this many bytes, events go by a commit of their own instead of riding in an activity's input. */
export const RIDING_EVENTS_LIMIT_BYTES = 64 * 1024;
/** One commit carries no more; more events go in several, one after another. */
export const EVENTS_PER_COMMIT_BYTES = 256 * 1024;
/** Arguments of one message's calls that travel inline, together; further ones become references. */
export const INLINE_ARGUMENTS_BYTES = 128 * 1024;
/** From here on requests come as signals: the server refuses a run's two-thousandth update. */
export const UPDATE_LIMIT = 1500;
/** From here on only cancels, answers and settlements are taken: the server ends a run of ten thousand signals. */
export const SIGNAL_LIMIT = 8000;

export interface ContinueAsNewInput {
  use: HistoryUse;
  /** A run that continues itself in its first task would never do any work. */
  task: 'first' | 'later';
  /** Handlers still running, and turns or steps still open. */
  inFlight: number;
}

/** Whether a run should continue as new now. */
export function continueAsNewDue({ use, task, inFlight }: ContinueAsNewInput): boolean {
  if (task === 'first' || inFlight > 0) return false;
  return (
    use.continueAsNewSuggested ||
    use.updates >= HISTORY_BUDGET.updates ||
    use.events >= HISTORY_BUDGET.events ||
    use.bytes >= HISTORY_BUDGET.bytes
  );
}

/** How a run still takes requests: by update, by signal only, or only what lets it come to an end. */
export function admissionOf({
  updates,
  signals,
}: Pick<HistoryUse, 'updates' | 'signals'>): 'updates' | 'signals' | 'urgent' {
  if (signals >= SIGNAL_LIMIT) return 'urgent';
  return updates >= UPDATE_LIMIT ? 'signals' : 'updates';
}

const encoder = new TextEncoder();

/** What a value takes as JSON, in UTF-8 bytes. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** As many of the first items as fit into so many bytes of JSON, at least one: the server ends a workflow whose task is too large. */
export function firstPortion<T>(items: readonly T[], limitBytes: number): T[] {
  let bytes = 0;
  const beyond = items.findIndex((item, index) => (bytes += jsonBytes(item)) > limitBytes && index > 0);
  return beyond < 0 ? [...items] : items.slice(0, beyond);
}
