import {
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  callChild,
  EARLIER_WORK,
  nextLookMs,
  olderThan,
  releaseChild,
  type MessageEntry,
  type OpenChildren,
  type RequestId,
  type SessionId,
} from '@everturn/core/domain';
import { sessionWorkflowId, type ChildMessage, type ChildSettled, type CloseRequest } from '@everturn/core/protocol';
import { CANCEL_GRACE_MS } from '../../contract/index.ts';
import { acceptNotices, lostChildren } from '../proxies.ts';
import { beginAnew } from './begin-anew.ts';
import { keepChildren } from './keep-children.ts';
import { publishLive } from './publish-live.ts';
import { runInjection } from './run-injection.ts';
import { discard, showQueue } from './session-queue.ts';
import { cameToRest } from './team/keep-team.ts';
import { sessionRef, type SessionState } from './session-state.ts';

/** A tree of agents ends from below; each level has its bodies to end, and its own grace for that. */
const ENDING_MS = 3 * CANCEL_GRACE_MS + 30_000;

/** Hears of children: that they are given work, and that they are done with it. */
export function listenToChildren(session: SessionState): void {
  setHandler(defineSignal<[ChildMessage]>('childCalled'), ({ child, message }) => {
    session.signals += 1;
    keepChildren(session, callChild(session.children, child, message));
    beginAnew(session, message);
  });
  setHandler(defineSignal<[ChildMessage]>('childReleased'), ({ child, message }) => {
    session.signals += 1;
    keepChildren(session, releaseChild(session.children, child, [message]));
  });
  setHandler(defineSignal<[ChildSettled]>('childSettled'), (settled) => {
    if (session.opened || !patched('settled-early')) takeSettled(session, settled);
    else session.early.push(() => takeSettled(session, settled));
  });
}

/** Agents that an earlier life had given work; what they said since this one began comes after. */
export function takeUpChildren(session: SessionState, children: readonly SessionId[]): void {
  if (children.length === 0 || !patched('children-of-earlier-lives')) return;
  const called = (open: OpenChildren, child: SessionId) => callChild(open, child, EARLIER_WORK);
  keepChildren(session, children.reduce(called, session.children));
}

/** The notice is in hand before the child is let go, so that nothing can end in between. */
export function takeSettled(session: SessionState, { child, messages, notice, closed }: ChildSettled): void {
  session.signals += 1;
  const older = messages === 'all' ? [] : olderThan(session.children, child, messages);
  if (notice && session.requests.admit(notice.requestId) === 'new') session.settlements.push(notice);
  const open = releaseChild(session.children, child, messages === 'all' ? 'all' : [...messages, EARLIER_WORK]);
  keepChildren(session, older.length > 0 && patched('older-messages') ? releaseChild(open, child, older) : open);
  if (closed) session.closedChildren.push(child);
  cameToRest(session, child);
}

/** Tells the model of children that have settled, as they do. */
export async function deliverSettlements(session: SessionState): Promise<void> {
  for (;;) {
    await condition(() => session.closing || (session.opened && session.settlements.length > 0));
    if (session.closing) return;
    const entries = [...session.settlements];
    await acceptNotices({ ...sessionRef(session), entries });
    if (session.closing && patched('notices-at-close')) return;
    session.settlements.splice(0, entries.length);
    if (session.closing) return discard(session, entries);
    for (const entry of entries) deliver(session, entry);
  }
}

/** To the turn that runs or is about to; else it begins one, unless a person has parked the queue. */
function deliver(session: SessionState, entry: MessageEntry): void {
  const { queued, steering } = session.queue;
  if (session.running || (queued.length > 0 && !session.parked)) {
    const hint: MessageEntry = { ...entry, kind: 'steering' };
    session.queue = { queued, steering: [...steering, hint] };
    session.running?.send('steer', hint);
  } else if (session.parked) {
    session.injected.push({ ...entry, kind: 'injection' });
  } else {
    session.queue = { queued: [...queued, entry], steering };
    const { requestId, preview, source } = entry;
    publishLive(session, { kind: 'agent/queued', requestId, preview, source, steering: false });
  }
  showQueue(session);
}

/** What agents said and no turn has read is taken out of what a closing session drops. */
export function keepUnread(session: SessionState): void {
  const { queued, steering } = session.queue;
  const isWord = ({ source }: MessageEntry) => source.kind === 'subagent-settled';
  const unread = [...queued, ...steering].filter(isWord);
  if (unread.length === 0 || !patched('notices-at-close')) return;
  const others = (entries: readonly MessageEntry[]) => entries.filter((entry) => !isWord(entry));
  session.queue = { queued: others(queued), steering: others(steering) };
  session.settlements.unshift(...unread);
}

/** It stands in the log for the session's next life, and so does what they say as it closes. */
export async function writeSettlements(session: SessionState): Promise<void> {
  while (session.settlements.length > 0 && patched('notices-at-close')) {
    const entries = [...session.settlements];
    await acceptNotices({ ...sessionRef(session), entries });
    session.settlements.splice(0, entries.length);
    session.injected.push(...entries.map((entry): MessageEntry => ({ ...entry, kind: 'injection' })));
    while (session.injected.length > 0) await runInjection(session);
  }
}

/** Closes the agents that stay with a session that closes, and waits until they have. */
export async function endChildren(session: SessionState, children: readonly SessionId[]): Promise<void> {
  if (children.length === 0) return;
  const told = await Promise.all(children.map(async (child) => ((await close(child)) ? [child] : [])));
  const closing = () => told.flat().filter((child) => !session.closedChildren.includes(child));
  const looking = patched('look-while-closing');
  const over = () => closing().length === 0;
  for (let waited = 0, looks = 0; waited < ENDING_MS && !over(); looks += 1) {
    const ms = looking ? Math.min(nextLookMs(looks), ENDING_MS - waited) : ENDING_MS;
    if (await condition(over, ms)) return;
    waited += ms;
    if (looking) await missLost(session, closing());
  }
}

/** One that was ended from outside says nothing any more. */
async function missLost(session: SessionState, children: SessionId[]): Promise<void> {
  const { lost } = await lostChildren({ ...sessionRef(session), children });
  for (const { child, notice } of lost) takeSettled(session, { child, messages: 'all', notice, closed: true });
}

/** `false`: its workflow is gone. */
async function close(child: SessionId): Promise<boolean> {
  // A session closes once in a run, and may be resumed; what a child has dealt with it does not do again.
  const request: CloseRequest = { requestId: `closed-by.${workflowInfo().runId}` as RequestId, by: 'owner' };
  return getExternalWorkflowHandle(sessionWorkflowId(child))
    .signal<[CloseRequest]>('close', request)
    .then(
      () => true,
      () => false,
    );
}
