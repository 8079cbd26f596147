import { expect, test } from 'vitest';
import type { JobId, ReminderId } from '@everturn/core/domain';
import { admitJob, finishJob, markStopping, readHead, readSession } from '@everturn/core/postgres';
import { REMINDER_WORKFLOW, reminderWorkflowId, turnWorkflowId } from '@everturn/core/protocol';
import { waitFor } from '@everturn/core/testing';
import { model, projection } from '../activities/testing/servers.ts';
import { ProjectionError, verify } from '../projection/index.ts';
import { beginSession, client, newRequest, workOn, type LiveSession } from './test/test-sessions.ts';

const HOUR = { kind: 'every', everySeconds: 3_600 } as const;
const remind = ({ handle }: LiveSession) =>
  handle.executeUpdate<{ reply: { reminder: { id: ReminderId } } }, [object]>('reminders', {
    args: [{ requestId: newRequest(), request: { operation: 'create', prompt: 'look', rule: HOUR } }],
  });
const isRunning = async (workflowId: string) =>
  (await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
const terminate = (session: LiveSession, turn: number) =>
  client.workflow.getHandle(turnWorkflowId(session.session, turn)).terminate('a test');
const expectSound = async ({ tenant, session }: LiveSession) =>
  expect((await verify(projection, { client: client.workflow }, { tenant, session })).problems).toEqual([]);

test.concurrent('a session that signals leave nothing to do moves to a fresh history once its own is full', async () => {
  const { handle } = await beginSession({ text: 'x' });
  const { runId } = await handle.describe();
  const pad = 'x'.repeat(1_500_000);
  for (let n = 0; n < 3; n += 1) await handle.signal('reminderDue', { id: 'none', dueAt: 0, pad });
  const next = await waitFor(async () => [await handle.describe()].find((run) => run.runId !== runId), {
    what: 'another run',
  });
  expect(next.status.name).toBe('RUNNING');
});

test.concurrent('a clock that has not heard that its session closed goes on when that is resumed', async () => {
  const session = await beginSession({ text: 'x' });
  const { id } = (await remind(session)).reply.reminder;
  const workflowId = reminderWorkflowId(session.session, id);
  await waitFor(() => isRunning(workflowId), { what: 'the clock' });
  await session.handle.signal('close', { requestId: newRequest() });
  await session.handle.result();
  const clock = client.workflow.getHandle(workflowId);
  await clock.result();
  // Its worker is dead for now.
  const args = [
    { session: session.session, tenant: session.tenant, id, dueAt: Date.now() + 3_600_000, preview: 'look' },
  ];
  await client.workflow.start(REMINDER_WORKFLOW, { workflowId, taskQueue: 'nobody', args });
  await clock.signal('disarm');
  await session.resume();
  await waitFor(async () => (await session.signals(workflowId)).includes('arm'), { what: 'the word to go on' });
  await workOn('nobody');
  const timed = async () =>
    ((await clock.fetchHistory()).events ?? []).some((event) => event.timerStartedEventAttributes);
  await waitFor(timed, { what: 'the clock to be wound up' });
  expect(await isRunning(workflowId)).toBe(true);
});

test.concurrent('what the log refuses for good beside a turn breaks the session', async () => {
  const session = await beginSession(
    { text: 'x y', hold: { gate: 'refused', afterDeltas: 1 } },
    {
      fault: async ({ commit }, write) => {
        if (commit.expectOpenTurn === undefined) return write();
        throw new ProjectionError('LOG_DIVERGED', 'a test');
      },
    },
  );
  await session.prompt('go');
  await model.held('refused');
  const request = { operation: 'create', objective: 'all of it' };
  await session.handle.signal('goal', { requestId: newRequest(), request });
  await expect(session.handle.result()).rejects.toMatchObject({ cause: { type: 'SESSION_BROKEN' } });
  expect((await readSession(projection.database, session))?.status).toBe('broken');
});

test.concurrent('what the log took before its turn died, and nobody heard of, is not written again', async () => {
  let first = true;
  const session: LiveSession = await beginSession(
    { text: 'x y', hold: { gate: 'unheard', afterDeltas: 1 } },
    {
      fault: async ({ commit, generation }, write) => {
        const answer = await write();
        if (commit.expectOpenTurn === undefined || !first) return answer;
        first = false;
        await terminate(session, 1);
        const raised = async () => ((await readHead(projection.database, session))?.generation ?? 0) > generation;
        await waitFor(raised, { what: 'the recovery' });
        return write();
      },
    },
  );
  await session.prompt('go');
  await model.held('unheard');
  const { id } = (await remind(session)).reply.reminder;
  const clock = reminderWorkflowId(session.session, id);
  await waitFor(() => isRunning(clock), { what: 'the clock' });
  expect(await session.count('schedule/change')).toBe(1);
  await expectSound(session);
});

const readOnly = () => ({ requestId: newRequest(), change: { sandboxMode: 'read-only' } });
const called = (title: string) => ({ requestId: newRequest(), title });
const changes = async (session: LiveSession) => [
  await session.count('sandbox/mode'),
  (await session.log()).filter(({ type, data }) => type === 'session/title' && data.source.kind === 'user').length,
];

test.concurrent('changes of people that a turn wrote before it died are not written again', async () => {
  const session = await beginSession({ text: 'x y', hold: { gate: 'dies', afterDeltas: 1 } });
  await session.prompt('go');
  await model.held('dies');
  const before = await changes(session);
  await session.handle.executeUpdate('setPermissions', { args: [readOnly()] });
  await session.handle.executeUpdate('rename', { args: [called('mine')] });
  await waitFor(async () => (await session.signals()).filter((name) => name === 'turnReport').length === 2, {
    what: 'word of both changes',
  });
  await terminate(session, 1);
  await session.handle.signal('close', { requestId: newRequest() });
  await session.handle.result();
  expect(await changes(session)).toEqual(before.map((count) => count + 1));
});

test.concurrent('changes of people that were taken are in the log of a session that closes at once', async () => {
  const opens = Promise.withResolvers<void>();
  const session = await beginSession({ text: 'x' }, { opens: opens.promise });
  await session.handle.signal('setPermissions', readOnly());
  await session.handle.signal('rename', called('mine'));
  await session.handle.signal('close', { requestId: newRequest() });
  opens.resolve();
  await session.handle.result();
  expect((await changes(session))[1]).toBe(1);
  expect((await session.log()).findLast(({ type }) => type === 'sandbox/mode')?.data).toEqual({ mode: 'read-only' });
});

test.concurrent('a job that ended while its session was dead is told of by the next life', async () => {
  const session = await beginSession({ text: 'x' });
  await session.handle.terminate('a test');
  const { database } = projection;
  const asked = { turn: 1, step: 1, kind: 'bash', label: 'make', limit: 9 };
  for (const call of ['t1.s1.c0', 't1.s1.c1', 't1.s1.c2']) await admitJob(database, { ...session, ...asked, call });
  for (const job of ['bash-1', 'bash-2'] as JobId[]) await finishJob(database, { ...session, job, state: 'completed' });
  await markStopping(database, { ...session, job: 'bash-3' as JobId }); // nobody is told of what was killed
  await finishJob(database, { ...session, job: 'bash-3' as JobId, state: 'killed' });
  await session.resume();
  const told = async () =>
    (await session.log()).flatMap(({ type, data }) =>
      type === 'user/message' || type === 'context/message' ? (/bash-\d/.exec(JSON.stringify(data)) ?? []) : [],
    );
  await waitFor(async () => (await told()).length >= 2, { what: 'word of both' });
  expect((await told()).toSorted()).toEqual(['bash-1', 'bash-2']);
});
