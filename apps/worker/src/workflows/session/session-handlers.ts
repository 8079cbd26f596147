import { ApplicationFailure } from '@temporalio/common';
import { condition, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import {
  admissionOf,
  answerReminders,
  NO_GOAL,
  NO_REMINDERS,
  QUEUE_CAPACITY,
  viewGoal,
  type GoalRequest,
  type ReminderRequest,
  type RequestId,
} from '@everturn/core/domain';
import type {
  CancelRequest,
  ChangeGoal,
  ChangeReminders,
  CloseRequest,
  CommandReceipt,
  CompactRequest,
  EditQueued,
  GoalReceipt,
  InjectContext,
  KnobsReceipt,
  PromptReceipt,
  RemindersReceipt,
  RunCommand,
  RenameSession,
  SessionRefusal,
  SetKnobs,
  SetPermissions,
  SubmitPrompt,
} from '@everturn/core/protocol';
import { isEarly, onceOpen } from './early-requests.ts';
import {
  cancelFound,
  cancelSession,
  closeSession,
  editQueued,
  enqueue,
  inject,
  isBusy,
  isFull,
} from './session-queue.ts';
import { takeCommand } from './session-commands.ts';
import { changeSessionGoal, goalRefusal } from './session-goal.ts';
import { setKnobs } from './session-knobs.ts';
import { changeReminders } from './session-reminders.ts';
import { renameSession } from './session-title.ts';
import { setPermissions } from './session-permissions.ts';
import type { SessionState } from './session-state.ts';

interface Handler<Input extends { requestId: RequestId }, Output> {
  name: string;
  /** Why the request cannot be taken, if it cannot. */
  refuse(session: SessionState, input: Input): [SessionRefusal, string] | undefined;
  take(session: SessionState, input: Input): Output | Promise<Output>;
  /** The answer to a request that was taken before. */
  again(session: SessionState, input: Input): Output;
}

const whenClosing = (session: SessionState): [SessionRefusal, string] | undefined =>
  session.closing ? ['SESSION_CLOSED', 'the session is closing'] : undefined;

const whenFull = (session: SessionState): [SessionRefusal, string] | undefined =>
  isFull(session)
    ? ['QUEUE_FULL', `at most ${QUEUE_CAPACITY} messages may wait, fewer long ones; try again when some have run`]
    : undefined;

const submitPrompt: Handler<SubmitPrompt, PromptReceipt> = {
  name: 'submitPrompt',
  refuse(session, input) {
    const refusal = whenClosing(session) ?? whenFull(session);
    if (refusal) return refusal;
    const { expectedTurn } = input;
    if (expectedTurn !== undefined && session.running?.number !== expectedTurn)
      return ['TURN_MISMATCH', `turn ${expectedTurn} is not the one that runs`];
    return undefined;
  },
  take: (session, input) => ({ requestId: input.requestId, position: enqueue(session, input) }),
  again: (session, { requestId }) => ({
    requestId,
    position: session.queue.queued.findIndex((entry) => entry.requestId === requestId),
  }),
};

const injectContext: Handler<InjectContext, void> = {
  name: 'inject',
  refuse: (session) => whenClosing(session) ?? whenFull(session),
  take: inject,
  again: () => undefined,
};

const cancel: Handler<CancelRequest, void> = {
  name: 'cancel',
  refuse: whenClosing,
  take(session, request) {
    cancelSession(session, request);
    if (isEarly(session)) return onceOpen(session, (waiting) => cancelFound(session, request, waiting));
  },
  again: () => undefined,
};

const close: Handler<CloseRequest, void> = {
  name: 'close',
  refuse: () => undefined,
  take(session, { by }) {
    if (by) session.closedBy = by;
    closeSession(session);
  },
  again: () => undefined,
};

const edit: Handler<EditQueued, void> = {
  name: 'editQueued',
  // What waits is not known before the log is open.
  refuse: (session, input) => (session.opened ? whenGone(session, input) : undefined),
  take(session, input) {
    if (!isEarly(session)) return editQueued(session, input);
    return onceOpen(session, () => {
      const refusal = whenGone(session, input);
      if (refusal) throw ApplicationFailure.nonRetryable(refusal[1], refusal[0]);
      editQueued(session, input);
    });
  },
  again: () => undefined,
};

const whenGone = ({ queue }: SessionState, { promptId }: EditQueued): [SessionRefusal, string] | undefined =>
  queue.queued.some((entry) => entry.requestId === promptId)
    ? undefined
    : ['PROMPT_NOT_QUEUED', `prompt ${promptId} is not queued any more`];

const permissions: Handler<SetPermissions, void> = {
  name: 'setPermissions',
  refuse: (session) =>
    whenClosing(session) ??
    (session.opened && !session.permissions
      ? ['SESSION_BUSY', 'this life of the session knows no permissions yet; close and resume it']
      : undefined),
  take: setPermissions,
  again: () => undefined,
};

const compact: Handler<CompactRequest, void> = {
  name: 'compact',
  refuse: (session) =>
    whenClosing(session) ??
    (isBusy(session) ? ['SESSION_BUSY', 'a turn runs or waits; a history is shortened between turns'] : undefined),
  take(session, { requestId }) {
    session.compaction = requestId;
  },
  again: () => undefined,
};

const command: Handler<RunCommand, CommandReceipt> = {
  name: 'runCommand',
  refuse: whenClosing,
  take: takeCommand,
  again: (_session, { requestId }) => ({ commandId: requestId }),
};

const knobs: Handler<SetKnobs, KnobsReceipt> = {
  name: 'setKnobs',
  refuse: whenClosing,
  take: setKnobs,
  again: () => ({}),
};

const reminders: Handler<ChangeReminders, RemindersReceipt> = {
  name: 'reminders',
  refuse: (session, { request }) => whenClosing(session) ?? whenRefused(session, request),
  take(session, { request }) {
    if (session.opened) return { reply: changeReminders(session, request) };
    // What there is the log says, and that is about to be read.
    return condition(() => session.opened).then(() => ({ reply: changeReminders(session, request) }));
  },
  again: () => ({}),
};

function whenRefused(session: SessionState, request: ReminderRequest): [SessionRefusal, string] | undefined {
  if (!session.opened) return undefined;
  const { reply } = answerReminders(session.reminders ?? NO_REMINDERS, request, Date.now());
  if (reply.kind === 'not-found') return ['REMINDER_NOT_FOUND', `no reminder ${reply.id} is active`];
  return reply.kind === 'refused' ? ['REMINDER_REFUSED', `${reply.error.code}: ${reply.error.message}`] : undefined;
}

const goal: Handler<ChangeGoal, GoalReceipt> = {
  name: 'goal',
  refuse(session, { request }) {
    const refused = session.opened ? goalRefusal(session, request) : undefined;
    return whenClosing(session) ?? (refused && ['GOAL_REFUSED', `${refused.code}: ${refused.message}`]);
  },
  take: (session, { request }) => {
    if (session.opened) return takeGoal(session, request);
    return condition(() => session.opened).then(() => takeGoal(session, request));
  },
  again: () => ({}),
};

function takeGoal(session: SessionState, request: GoalRequest): GoalReceipt {
  const refused = changeSessionGoal(session, request);
  if (refused) throw ApplicationFailure.nonRetryable(`${refused.code}: ${refused.message}`, 'GOAL_REFUSED');
  return { view: viewGoal(session.goal ?? NO_GOAL) };
}

const rename: Handler<RenameSession, void> = {
  name: 'rename',
  refuse: whenClosing,
  take: renameSession,
  again: () => undefined,
};

/** Takes requests by update, and the same by signal when no worker answered in time. Handlers never wait, but for the log to open. */
export function listenToClients(session: SessionState): void {
  listen(session, submitPrompt);
  listen(session, injectContext);
  listen(session, cancel);
  listen(session, close);
  listen(session, edit);
  listen(session, permissions);
  listen(session, compact);
  listen(session, knobs);
  listen(session, reminders);
  listen(session, command);
  listen(session, goal);
  listen(session, rename);
}

function listen<Input extends { requestId: RequestId }, Output>(
  session: SessionState,
  handler: Handler<Input, Output>,
): void {
  const update = defineUpdate<Output, [Input]>(handler.name);
  const signal = defineSignal<[Input]>(handler.name);
  const known = (input: Input) => session.requests.recent().includes(input.requestId);
  const take = (input: Input): Output | Promise<Output> =>
    session.requests.admit(input.requestId) === 'new' ? handler.take(session, input) : handler.again(session, input);
  const refuse = (input: Input, also?: [SessionRefusal, string]) =>
    known(input) ? undefined : (also ?? handler.refuse(session, input));
  setHandler(
    update,
    (input) => {
      session.updates += 1;
      return take(input);
    },
    {
      validator(input) {
        const refusal = refuse(input);
        if (refusal) throw ApplicationFailure.nonRetryable(refusal[1], refusal[0]);
      },
    },
  );
  setHandler(signal, (input) => {
    session.signals += 1;
    const refusal = refuse(input, tooMany(session, handler.name));
    report(session, input.requestId, refusal);
    // What only turns out to be refused later has nobody to hear of it.
    if (!refusal) void Promise.resolve(take(input)).catch(() => undefined);
  });
}

/** Before the server's limit is reached only what ends or settles things is still taken. */
function tooMany(session: SessionState, name: string): [SessionRefusal, string] | undefined {
  if (admissionOf(session) !== 'urgent' || name === 'cancel' || name === 'close') return undefined;
  return ['QUEUE_FULL', 'the session takes no more messages until its turn has ended'];
}

/** A signal has no answer, so its outcome becomes a row. */
function report(session: SessionState, requestId: RequestId, refusal: [SessionRefusal, string] | undefined): void {
  session.writer.change({
    requests: [
      refusal
        ? { requestId, outcome: 'refused', code: refusal[0], message: refusal[1] }
        : { requestId, outcome: 'accepted' },
    ],
    // Or a later life of the session would take it up after all.
    ...(refusal && { prompts: [{ promptId: requestId, state: 'discarded' as const }] }),
  });
}
