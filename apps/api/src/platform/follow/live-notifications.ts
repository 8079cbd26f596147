import { canonicalJson } from '@everturn/core/domain';
import type { SessionView } from '@everturn/core/postgres';

/** Something a reader is told that is no event: it is not stored, has no number and is never replayed. */
export interface LiveNotification {
  kind:
    | 'agent/created'
    | 'agent/disposed'
    | 'agent/error'
    | 'agent/queued'
    | 'agent/cancel-requested'
    | 'agent/status'
    | 'queue'
    | 'interactions'
    | 'jobs'
    | 'projections';
  data: unknown;
}

/** What a reader who just arrived is told: every state as it is now. */
export function currentNotifications(view: SessionView): LiveNotification[] {
  return [statusOf(view), queueOf(view), interactionsOf(view), jobsOf(view), projectionsOf(view)];
}

/** What changed between two looks at a session's rows: what happened first, then each state that is new. */
export function changedNotifications(before: SessionView, after: SessionView): LiveNotification[] {
  const states = [statusOf, queueOf, interactionsOf, jobsOf, projectionsOf].filter((state) =>
    differs(state(before), state(after)),
  );
  return [...happened(before, after), ...states.map((state) => state(after))];
}

function happened(before: SessionView, after: SessionView): LiveNotification[] {
  const queuedBefore = new Set(before.queue.map(({ promptId }) => promptId));
  const cancelsBefore = new Set(before.cancels.map(({ requestId }) => requestId));
  const arrived = after.queue.filter(({ promptId }) => !queuedBefore.has(promptId));
  const cancels = after.cancels.filter(({ requestId }) => !cancelsBefore.has(requestId));
  return [
    ...changedTo(before, after),
    ...arrived.map((prompt): LiveNotification => ({ kind: 'agent/queued', data: prompt })),
    ...cancels.map((cancel): LiveNotification => ({ kind: 'agent/cancel-requested', data: cancel })),
  ];
}

function changedTo({ status: before }: SessionView, { status: after }: SessionView): LiveNotification[] {
  if (before === after) return [];
  if (after === 'closed') return [{ kind: 'agent/disposed', data: {} }];
  if (after === 'broken')
    return [{ kind: 'agent/error', data: { code: 'SESSION_BROKEN', remedy: 'resume the session' } }];
  if (before === 'starting') return [{ kind: 'agent/created', data: { source: 'startup' } }];
  if (before === 'closed' || before === 'broken') return [{ kind: 'agent/created', data: { source: 'resume' } }];
  return [];
}

function statusOf({ status, openTurn }: SessionView): LiveNotification {
  return { kind: 'agent/status', data: { status, ...(openTurn !== undefined && { openTurn }) } };
}

function queueOf({ queue }: SessionView): LiveNotification {
  return { kind: 'queue', data: { prompts: queue } };
}

function interactionsOf({ interactions }: SessionView): LiveNotification {
  return { kind: 'interactions', data: { open: interactions } };
}

function jobsOf({ jobs }: SessionView): LiveNotification {
  return { kind: 'jobs', data: { jobs } };
}

function projectionsOf({ title, model, plan, goal, usage }: SessionView): LiveNotification {
  const known = { ...(model !== undefined && { model }), ...(plan && { plan }), ...(goal !== undefined && { goal }) };
  return { kind: 'projections', data: { title, usage, ...known } };
}

function differs(a: LiveNotification, b: LiveNotification): boolean {
  return canonicalJson(a.data) !== canonicalJson(b.data);
}
