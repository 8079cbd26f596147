import { patched } from '@temporalio/workflow';
import {
  acceptMessage,
  activate,
  CARRIED_STATE_LIMIT_BYTES,
  clearQueue,
  editMessage,
  jsonBytes,
  QUEUE_CAPACITY,
  REMINDER_SOURCE,
  settleTurn,
  type MessageEntry,
} from '@everturn/core/domain';
import type { CancelRequest, EditQueued, InjectContext, SubmitPrompt } from '@everturn/core/protocol';
import type { PromptChange } from '../../contract/index.ts';
import type { Waiting } from './early-requests.ts';
import { publishLive } from './publish-live.ts';
import { writeSoon } from './session-facts.ts';
import type { SessionState } from './session-state.ts';
import { takeBackOwner } from './take-owner.ts';

/** What waits must fit into what a run hands to the next, beside a prefix and two hundred request ids. */
const MOST_WAITING_BYTES = CARRIED_STATE_LIMIT_BYTES - 64 * 1024;

/** Whether another message would be one too many. */
export function isFull({ queue: { queued, steering }, injected }: Pick<SessionState, 'queue' | 'injected'>): boolean {
  const waiting = queued.length + steering.length + injected.length;
  return waiting >= QUEUE_CAPACITY || jsonBytes([queued, steering, injected]) >= MOST_WAITING_BYTES;
}

/** Whether a turn runs, or something waits for one. */
export function isBusy({ running, queue, injected, compaction }: SessionState): boolean {
  return running !== undefined || queue.queued.length + injected.length > 0 || compaction !== undefined;
}

/** Queues a message, or hands it to the running turn; its position in the queue, -1 for the turn. */
export function enqueue(session: SessionState, prompt: SubmitPrompt): number {
  session.parked = false;
  const { requestId, content, source, preview } = prompt;
  noteMessage(session, prompt);
  const running = prompt.mode === 'steer' ? session.running : undefined;
  const entry: MessageEntry = { requestId, kind: running ? 'steering' : 'prompt', content, source, preview };
  const accepted = acceptMessage({ queue: session.queue, entry, to: running ? 'turn' : 'queue' });
  if (accepted.kind === 'refused') return session.queue.queued.length; // refused by the validator, which runs first
  session.queue = accepted.queue;
  publishLive(session, { kind: 'agent/queued', requestId, preview, source, steering: running !== undefined });
  running?.send('steer', entry);
  showQueue(session);
  return accepted.position;
}

/** A message for an agent that stays with another: its owner, who also brings what its team writes, waits for it to be dealt with. */
export function noteMessage(
  session: SessionState,
  { source, requestId }: Pick<MessageEntry, 'source' | 'requestId'>,
): void {
  takeBackOwner(session, { source });
  const { owner } = session.input;
  const counts =
    source.kind === 'team-message' || (source.kind === 'agent-message' && source.senderSessionId === owner?.session);
  if (!session.activation || !counts) return;
  session.activation = activate(session.activation, requestId);
}

/** Adds context: to the running turn, or in a turn of its own as soon as none runs. */
export function inject(session: SessionState, context: InjectContext): void {
  const { requestId, content, source, meta } = context;
  const entry: MessageEntry = {
    requestId,
    kind: 'injection',
    content,
    source,
    preview: 'context',
    ...(meta !== undefined && { meta }),
  };
  session.injected.push(entry);
  session.running?.send('inject', entry);
}

/** Clears or parks what waits, then stops what runs. What is enqueued afterwards survives. */
export function cancelSession(session: SessionState, request: CancelRequest): void {
  publishLive(session, { kind: 'agent/cancel-requested', cause: request.cause });
  if (request.queue === 'park') session.parked = session.queue.queued.length + session.queue.steering.length > 0;
  else dropAll(session);
  settleParked(session);
  showQueue(session);
  cancelRunning(session, request.cause);
}

/** Stops the turn that runs, for good: should it die of something else before, its message is not tried again. */
export function cancelRunning({ running }: SessionState, cause: CancelRequest['cause']): void {
  if (!running) return;
  running.cancelled = true;
  running.send('abort', { cause });
}

/** Clears or parks what the log says waits, too, once that is known. */
export function cancelFound(
  session: SessionState,
  { queue, requestId: cancel }: CancelRequest,
  waiting: Waiting,
): void {
  const { queued, steering } = session.queue;
  const { arrived, cancelsBefore } = waiting;
  // Its row was found, for it is on its way.
  const isLater = ({ requestId }: MessageEntry) =>
    cancelsBefore[requestId]?.includes(cancel) === true && patched('accepted-after-a-cancel');
  if (queue === 'park') {
    session.parked ||= queued.length > 0 && arrived.size === 0 && !queued.some(isLater);
    return;
  }
  const cleared = queued.filter((entry) => !arrived.has(entry.requestId) && !isLater(entry));
  session.queue = { queued: queued.filter((entry) => !cleared.includes(entry)), steering };
  discard(session, cleared);
}

/** A park holds what waits; once that is gone it holds nothing that comes later. */
export function settleParked(session: SessionState): void {
  const { queued, steering } = session.queue;
  if (!session.parked || queued.length + steering.length > 0) return;
  if (patched('nothing-is-parked')) session.parked = false;
}

/** Begins to close; the turn that runs ends as disposed, or as aborted by the agent it works for. */
export function closeSession(session: SessionState): void {
  if (session.closing) return;
  session.closing = true;
  session.commandStop?.request();
  session.titling?.request();
  session.running?.send('abort', { cause: session.input.owner ? 'parent' : 'disposed' });
}

/** Replaces the content of a queued message, or drops it. */
export function editQueued(session: SessionState, { promptId, content, preview }: EditQueued): void {
  const result = editMessage({
    queue: session.queue,
    requestId: promptId,
    ...(content !== undefined && { content }),
    ...(preview !== undefined && { preview }),
  });
  if (result.kind === 'refused') return; // refused by the validator, which runs first
  session.queue = result.queue;
  if (content === undefined) discard(session, [result.entry]);
  takeUpSteering(session);
  settleParked(session);
  showQueue(session);
}

/** What was to go along with the message that is gone has no turn to go with. */
function takeUpSteering(session: SessionState): void {
  const { queued, steering } = session.queue;
  if (session.running || queued.length > 0 || steering.length === 0) return;
  if (patched('steering-without-a-turn'))
    session.queue = settleTurn({ queue: session.queue, consumed: [], discarded: [] });
}

/** Drops everything that waits; what the running turn was handed it may have written by now, as its result will say. */
export function dropAll(session: SessionState): void {
  const steering = session.running ? session.queue.steering : [];
  const { queue, dropped } = clearQueue(session.queue);
  session.queue = { ...queue, steering };
  session.unwanted = steering.map(({ requestId }) => requestId);
  discard(
    session,
    dropped.filter((entry) => !steering.includes(entry)),
  );
}

/** Marks messages that will never run. */
export function discard(session: SessionState, entries: readonly MessageEntry[]): void {
  if (entries.length === 0) return;
  // What was to be told along with them has happened all the same, or it would be done again.
  for (const { facts: events } of entries) if (events) writeSoon(session, { plugin: REMINDER_SOURCE.plugin, events });
  const prompts = entries.map(({ requestId }): PromptChange => ({ promptId: requestId, state: 'discarded' }));
  session.writer.change({ prompts });
}

/** Lets clients see the queue while a turn runs; without one the next turn's first commit says it. */
export function showQueue(session: SessionState): void {
  if (session.running) session.writer.change({ queueLength: session.queue.queued.length });
}
