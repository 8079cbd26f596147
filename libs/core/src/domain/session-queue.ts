import type { MaybeRef } from './blob.ts';
import type { ContentBlock } from './content.ts';
import type { RequestId } from './ids.ts';
import type { MessageEntry } from './message-entry.ts';

/** Most messages a session holds at once; more is refused with `QUEUE_FULL`. */
export const QUEUE_CAPACITY = 1000;

/** Messages a session has accepted: those that wait for a turn of their own, and those sent to the running turn. */
export interface SessionQueue {
  readonly queued: readonly MessageEntry[];
  /** Handed to the running turn and not yet reported as read by it. */
  readonly steering: readonly MessageEntry[];
}

/** A queue that holds nothing. */
export const EMPTY_QUEUE: SessionQueue = Object.freeze({ queued: Object.freeze([]), steering: Object.freeze([]) });

export interface AcceptInput {
  queue: SessionQueue;
  entry: MessageEntry;
  /** `turn` hands the entry to the open turn; with `queue` it waits for its own. */
  to: 'queue' | 'turn';
}
export type AcceptResult =
  /** `position`: 0 = next to run; -1 = handed to the running turn. */
  { kind: 'accepted'; queue: SessionQueue; position: number } | { kind: 'refused'; code: 'QUEUE_FULL' };

/** Accepts a message; one queued message becomes one turn, messages are never merged. */
export function acceptMessage({ queue, entry, to }: AcceptInput): AcceptResult {
  if (queue.queued.length + queue.steering.length >= QUEUE_CAPACITY) return { kind: 'refused', code: 'QUEUE_FULL' };
  if (to === 'turn') {
    return { kind: 'accepted', queue: make(queue.queued, [...queue.steering, entry]), position: -1 };
  }
  return {
    kind: 'accepted',
    queue: make([...queue.queued, entry], queue.steering),
    position: queue.queued.length,
  };
}

/** Takes the one message the next turn answers. */
export function claimMessage(queue: SessionQueue): { queue: SessionQueue; entry?: MessageEntry } {
  const [entry, ...rest] = queue.queued;
  return entry ? { queue: make(rest, queue.steering), entry } : { queue };
}

export interface SettleTurnInput {
  queue: SessionQueue;
  /** Entries the turn wrote to the log. */
  consumed: readonly RequestId[];
  /** Entries a terminal stop or a cancel dropped for good. */
  discarded: readonly RequestId[];
}

/** After a turn has closed: what it neither read nor dropped waits for a turn of its own, in order. */
export function settleTurn({ queue, consumed, discarded }: SettleTurnInput): SessionQueue {
  const settled = new Set<RequestId>([...consumed, ...discarded]);
  const left = queue.steering.filter(({ requestId }) => !settled.has(requestId));
  return make([...queue.queued, ...left.map(asPrompt)], []);
}

/** Empties both queues and says what was dropped, in order: the running turn's first. */
export function clearQueue({ queued, steering }: SessionQueue): { queue: SessionQueue; dropped: MessageEntry[] } {
  return { queue: EMPTY_QUEUE, dropped: [...steering, ...queued] };
}

export interface EditMessageInput {
  queue: SessionQueue;
  requestId: RequestId;
  /** Replaces the content; absent = drop the message. */
  content?: MaybeRef<ContentBlock[]>;
  preview?: string;
}
export type EditMessageResult =
  | { kind: 'changed'; queue: SessionQueue; entry: MessageEntry }
  | { kind: 'refused'; code: 'PROMPT_NOT_QUEUED' };

/** Edits or drops a message that still waits; one a turn has claimed or was handed is out of reach. */
export function editMessage({ queue, requestId, content, preview }: EditMessageInput): EditMessageResult {
  const entry = queue.queued.find((waiting) => waiting.requestId === requestId);
  if (!entry) return { kind: 'refused', code: 'PROMPT_NOT_QUEUED' };
  if (content === undefined) {
    return {
      kind: 'changed',
      queue: make(
        queue.queued.filter((waiting) => waiting !== entry),
        queue.steering,
      ),
      entry,
    };
  }
  const edited: MessageEntry = Object.freeze({ ...entry, content, preview: preview ?? entry.preview });
  const queued = queue.queued.map((waiting) => (waiting === entry ? edited : waiting));
  return { kind: 'changed', queue: make(queued, queue.steering), entry: edited };
}

/** Left-over steering passes the prompt gate like any prompt; an injection stays one. */
function asPrompt(entry: MessageEntry): MessageEntry {
  return entry.kind === 'steering' ? Object.freeze({ ...entry, kind: 'prompt' }) : entry;
}

function make(queued: readonly MessageEntry[], steering: readonly MessageEntry[]): SessionQueue {
  return Object.freeze({ queued: Object.freeze([...queued]), steering: Object.freeze([...steering]) });
}
