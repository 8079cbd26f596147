import { ApplicationFailure } from '@temporalio/common';
import { RequestWindow, type MessageEntry, type RequestId } from '@everturn/core/domain';
import { patched, workflowInfo } from '@temporalio/workflow';
import { openLog } from '../proxies.ts';
import { armReminders } from './arm-reminders.ts';
import { takeEarlyRequests } from './early-requests.ts';
import { publishLive } from './publish-live.ts';
import { describeSession } from './session-details.ts';
import { takeUpChildren } from './session-children.ts';
import { reopenKnobs } from './session-knobs.ts';
import { takeEarlyChanges } from './session-permissions.ts';
import { noteMessage } from './session-queue.ts';
import { takeOwner } from './take-owner.ts';
import { takeUpTeam } from './team/keep-team.ts';
import { openWriter, type SessionState } from './session-state.ts';

/** Opens the log of a run that continues no other, and takes up what was accepted and never ran. */
export async function openSession(session: SessionState): Promise<void> {
  if (session.opened) return;
  const { session: id, tenant, intent } = session.input;
  const reset = wasReset() && patched('a-reset-breaks');
  const { runId } = workflowInfo();
  const owned = session.input.owner !== undefined;
  const result = await openLog({
    session: id,
    tenant,
    intent,
    runId,
    ...(reset && { reset }),
    ...(owned && { owned }),
  });
  if (result.kind === 'refused') throw ApplicationFailure.nonRetryable(result.message, result.code);
  session.generation = result.generation;
  session.lastTurn = result.lastTurn;
  session.instance = result.instance;
  session.usage = result.usage;
  session.isolation = result.isolation;
  // One that a person gave meanwhile is not written yet.
  session.title = session.renames.at(-1)?.title ?? result.title;
  session.searchAttributes = result.searchAttributes;
  if (result.permissions) session.permissions = result.permissions;
  takeEarlyChanges(session);
  reopenKnobs(session, result.knobs);
  openWriter(session, 0, result.highestAcknowledged);
  takeOwner(session, result.parent);
  const arrived = new Set(session.queue.queued.map(({ requestId }) => requestId));
  const found = new Set(result.unclaimed.map(({ requestId }) => requestId));
  const dealtWith = rememberRequests(session, result.recentRequests);
  for (const entry of result.unclaimed) noteMessage(session, entry);
  if (result.parent && !session.input.owner) session.parent = result.parent.session;
  // What came before it was known whom the agent works for.
  if (!owned) for (const entry of session.queue.queued) noteMessage(session, entry);
  const isNew = ({ requestId }: MessageEntry) => !found.has(requestId) && !dealtWith.has(requestId);
  const isContext = (entry: MessageEntry) => entry.kind === 'injection';
  const { queued, steering } = session.queue;
  const prompts = result.unclaimed.filter((entry) => !isContext(entry));
  session.queue = { queued: [...prompts, ...queued.filter(isNew)], steering };
  session.injected = [...result.unclaimed.filter(isContext), ...session.injected.filter(isNew)];
  // What is taken up from its row may still be on its way as well: an update nobody answered is sent as a signal.
  if (patched('unclaimed-are-known')) for (const { requestId } of result.unclaimed) session.requests.admit(requestId);
  takeUpChildren(session, result.children ?? []);
  takeEarlyRequests(session, { arrived, cancelsBefore: result.cancelsBefore ?? {} });
  if (result.goal) session.goal = result.goal;
  if (result.reminders) session.reminders = result.reminders;
  const { endedJobs = [] } = result;
  session.endedJobs.unshift(...endedJobs.filter((job) => !session.endedJobs.includes(job)));
  session.opened = true;
  armReminders(session);
  if (result.team) takeUpTeam(session);
  publishLive(session, { kind: 'agent/created', source: session.instance.startSource });
  describeSession(session, 'idle');
}

/** What an earlier life has dealt with may be sent once more, for nobody may have heard its answer. */
function rememberRequests(session: SessionState, recent: readonly RequestId[]): ReadonlySet<RequestId> {
  if (recent.length === 0 || !patched('remembered-requests')) return new Set();
  session.requests = new RequestWindow([...recent, ...session.requests.recent()]);
  if (session.activation) session.dealtWith = [...recent];
  return new Set(recent);
}

/** Whether this run began as another that somebody reset in Temporal: it is not the first of its chain, and continues none. */
function wasReset(): boolean {
  const { runId, firstExecutionRunId, continuedFromExecutionRunId } = workflowInfo();
  return runId !== firstExecutionRunId && continuedFromExecutionRunId === undefined;
}
