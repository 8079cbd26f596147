import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionId } from '@everturn/core/domain';
import { acceptPrompt, noteSentRequest, startSessionRow } from '@everturn/core/postgres';
import { openLog } from './open-log.ts';
import { closeTestProjection, newSession, openTestProjection } from './test/test-session.ts';
import type { TestSession } from './test/test-session.ts';
import { entry, send, unadmittedTurn, deadTurn, results, closing } from './test/dead-turn.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

describe('opening a log', () => {
  const opened = (session: TestSession, runId: string, intent: 'open' | 'resume' = 'open') =>
    openLog(session.projection, { ...session.ref, intent, runId });

  test('a new session starts up; its run is told the same again', async () => {
    const session = await newSession();
    await acceptPrompt(session.projection.database, { ...session.ref, mode: 'send', entry: entry('first') });
    const answer = await opened(session, 'run-1');
    expect(answer).toEqual({
      kind: 'opened',
      generation: 1,
      highestAcknowledged: -1,
      lastTurn: 0,
      instance: { logHadHeader: false, startSource: 'startup', started: false },
      usage: expect.objectContaining({ inputTokens: 0, turns: 0 }),
      isolation: 'child',
      unclaimed: [entry('first')],
      recentRequests: [],
      title: '',
      found: { events: [], acks: [], chunks: [], settled: [] },
    });
    expect(await session.row()).toMatchObject({ status: 'idle', generation: 1 });
  });

  test('a dead run is closed, and what it never claimed goes on', async () => {
    const session = await deadTurn();
    const answer = await opened(session, 'run-2');
    expect(answer).toMatchObject({
      kind: 'opened',
      generation: 2,
      lastTurn: 1,
      highestAcknowledged: 13,
      instance: { startSource: 'resume' },
      unclaimed: [entry('second')],
      recentRequests: ['first'],
    });
    expect(await closing(session)).toEqual(results);
    expect(await opened(session, 'run-2')).toEqual(answer);
  });

  test('what a dead turn claimed and never let in goes on, too, in order', async () => {
    const session = await unadmittedTurn();
    expect(await opened(session, 'run-2')).toMatchObject({ unclaimed: [entry('first'), entry('second')] });
    await send({ ...session, ref: { ...session.ref, generation: 2 } }, [], {
      prompts: [{ promptId: 'first', state: 'discarded' }],
    });
    expect(await opened(session, 'run-3')).toMatchObject({ unclaimed: [entry('second')] });
  });

  test('what was refused may be sent again, so it is not remembered', async () => {
    const session = await newSession();
    for (const id of ['full', 'dropped'])
      await acceptPrompt(session.projection.database, { ...session.ref, mode: 'send', entry: entry(id) });
    await send(session, [], {
      requests: [
        { requestId: 'full', outcome: 'refused', code: 'QUEUE_FULL', message: 'full' },
        { requestId: 'named', outcome: 'accepted' },
      ],
      prompts: [
        { promptId: 'full', state: 'discarded' },
        { promptId: 'dropped', state: 'discarded' },
      ],
    });
    const answer = await opened(session, 'run-2');
    expect(answer).toMatchObject({ unclaimed: [], recentRequests: expect.arrayContaining(['named', 'dropped']) });
    expect(answer).not.toMatchObject({ recentRequests: expect.arrayContaining(['full']) });
  });

  test('what was accepted after a cancel is told apart from what waited before it', async () => {
    const session = await newSession();
    const { database } = session.projection;
    const accept = (id: string) => acceptPrompt(database, { ...session.ref, mode: 'send', entry: entry(id) });
    const note = (id: string, kind: 'cancel' | 'interrupt' | 'edit') =>
      noteSentRequest(database, { ...session.ref, requestId: entry(id).requestId, kind });
    await accept('before');
    await note('cancel', 'cancel');
    await accept('between');
    await note('edit', 'edit');
    await note('interrupt', 'interrupt');
    await accept('after');
    expect(await opened(session, 'run-2')).toMatchObject({
      unclaimed: [entry('before'), entry('between'), entry('after')],
      cancelsBefore: { between: ['cancel'], after: ['interrupt', 'cancel'] },
    });
  });

  test('a closed or broken session opens only to be resumed', async () => {
    const session = await newSession();
    await send(session, [], { status: 'closed' });
    expect(await opened(session, 'run-2')).toMatchObject({ kind: 'refused', code: 'SESSION_CLOSED' });
    expect(await session.row()).toMatchObject({ status: 'closed', generation: 1 });
    expect(await opened(session, 'run-2', 'resume')).toMatchObject({ kind: 'opened', generation: 2 });
    const broken = { ...session, ref: { ...session.ref, generation: 2 } };
    await send(broken, [], { status: 'broken' });
    expect(await opened(session, 'run-3')).toMatchObject({ kind: 'refused', code: 'SESSION_CLOSED' });
    expect(await opened(session, 'run-3', 'resume')).toMatchObject({ kind: 'opened', generation: 3 });
  });

  test('a run that was reset opens nothing, and its session is broken until it is resumed', async () => {
    const session = await newSession();
    const reset = () => openLog(session.projection, { ...session.ref, intent: 'open', runId: 'run-2', reset: true });
    for (let attempt = 1; attempt <= 2; attempt += 1)
      expect(await reset()).toMatchObject({ kind: 'refused', code: 'SESSION_RESET' });
    // A turn of it is still there, and somebody answers what it asked.
    await expect(send(session, [], { status: 'running' })).rejects.toMatchObject({ code: 'LOG_FENCED' });
    expect(await session.row()).toMatchObject({ status: 'broken', generation: 2 });
    expect(await opened(session, 'run-3', 'resume')).toMatchObject({ kind: 'opened', generation: 3 });
    await send({ ...session, ref: { ...session.ref, generation: 3 } }, [], { status: 'closed' });
    expect(await reset()).toMatchObject({ kind: 'refused', code: 'SESSION_RESET' });
    expect(await session.row()).toMatchObject({ status: 'closed', generation: 3 });
    expect(await opened(session, 'run-4')).toMatchObject({ kind: 'refused', code: 'SESSION_CLOSED' });
  });

  test('an agent that stays is told who started it, unless whoever begins its life has said whom it works for', async () => {
    const { projection, ref } = await newSession();
    const { tenant, session: parent } = ref;
    const agent = async (mode: string) => {
      const key = { tenant, session: `${mode}-of-${parent}` as SessionId };
      await startSessionRow(projection.database, { ...key, header: {}, options: { delegation: { mode } }, parent });
      return key;
    };
    const [stays, once] = [await agent('continuable'), await agent('one-shot')];
    const parentIn = async (key: typeof stays, more: { runId: string; owned?: boolean }) => {
      const answer = await openLog(projection, { ...key, intent: 'open', ...more });
      return answer.kind === 'opened' ? answer.parent : answer;
    };
    expect(await parentIn(stays, { runId: 'run-1' })).toEqual({ session: parent, state: 'open' });
    expect(await parentIn(stays, { runId: 'run-2', owned: true })).toBeUndefined();
    expect(await parentIn(once, { runId: 'run-1' })).toBeUndefined();
    await projection.database.updateTable('sessions').set({ status: 'closed' }).where('id', '=', parent).execute();
    expect(await parentIn(stays, { runId: 'run-3' })).toEqual({ session: parent, state: 'closed' });
  });

  test('a later life is told which of its agents are at work, or wait for theirs; one after a close has none', async () => {
    const lead = await newSession();
    const { database } = lead.projection;
    const { tenant, session } = lead.ref;
    const agent = async (
      name: string,
      parent: string,
      status: 'idle' | 'running' | 'waiting' | 'closed',
      mode = 'continuable',
    ) => {
      const key = { tenant, session: `${name}-of-${parent}` as SessionId, parent: parent as SessionId };
      await startSessionRow(database, { ...key, header: {}, options: { delegation: { mode } } });
      await database.updateTable('sessions').set({ status }).where('id', '=', key.session).execute();
      return key.session;
    };
    const works = await agent('works', session, 'running');
    const asks = await agent('asks', session, 'waiting');
    const waits = await agent('waits', session, 'idle');
    await agent('below', await agent('between', waits, 'idle'), 'running');
    const rests = await agent('rests', session, 'idle');
    await agent('once', rests, 'running', 'one-shot');
    await agent('closed', session, 'closed');
    const children = async (runId: string, intent: 'open' | 'resume' = 'open') => {
      const answer = await opened(lead, runId, intent);
      return answer.kind === 'opened' ? answer.children : answer;
    };
    expect(await children('run-2')).toEqual([works, asks, waits].toSorted());
    await send({ ...lead, ref: { ...lead.ref, generation: 2 } }, [], { status: 'closed' });
    expect(await children('run-3', 'resume')).toBeUndefined();
  });

  test("another tenant's session is not found", async () => {
    const session = await newSession();
    const foreign = { ...session.ref, tenant: 'other' as never };
    expect(await openLog(session.projection, { ...foreign, intent: 'open', runId: 'x' })).toMatchObject({
      kind: 'refused',
      code: 'SESSION_NOT_FOUND',
    });
    const row = { session: session.ref.session, header: {}, options: {} };
    const { database } = session.projection;
    expect(await startSessionRow(database, { ...row, tenant: foreign.tenant })).toEqual({ kind: 'foreign' });
    expect(await startSessionRow(database, { ...row, tenant: session.ref.tenant })).toMatchObject({ kind: 'exists' });
  });
});
