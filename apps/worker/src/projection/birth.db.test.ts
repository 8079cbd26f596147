import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLog, text } from '@everturn/core/domain';
import type { AuthoredEvent, CallId, MessageEntry, RequestId } from '@everturn/core/domain';
import { acceptPrompt, listInteractions, readEvents, startSessionRow } from '@everturn/core/postgres';
import { appendChunks } from './append-chunks.ts';
import { beginEffect } from './begin-effect.ts';
import { commit } from './commit.ts';
import { finishEffect } from './finish-effect.ts';
import { openLog } from './open-log.ts';
import type { WrittenEvent } from '../contract/index.ts';
import { recover } from './recover.ts';
import { author, closeTestProjection, newSession, openTestProjection, source } from './test/test-session.ts';
import type { TestSession } from './test/test-session.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

const nothing = { events: [], highestAcknowledged: -1 };
const at = { turn: 1, step: 1 };
const call = (id: string) => ({ type: 'tool-call' as const, id: id as CallId, name: 'bash', arguments: '{}' });
const started = (id: string) => ({ ...at, callId: id as CallId, name: 'bash', arguments: '{}' });
const entry = (requestId: string): MessageEntry => ({
  requestId: requestId as RequestId,
  kind: 'prompt',
  content: [text(requestId)],
  source,
  preview: requestId,
});
const send = (session: TestSession, events: AuthoredEvent[], rows?: object) =>
  commit(session.projection, { ...session.ref, commit: { ...nothing, events, ...(rows && { rows }) } });
const log = async ({ projection, ref }: TestSession) =>
  (await readEvents(projection.database, { ...ref, from: 0, limit: 1000 })).events;

/** A session with two messages, whose turn has one of them and has not let it in. */
async function unadmittedTurn(): Promise<TestSession> {
  const session = await newSession();
  for (const id of ['first', 'second'])
    await acceptPrompt(session.projection.database, { ...session.ref, mode: 'send', entry: entry(id) });
  await send(session, [author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } }, 10)], {
    prompts: [{ promptId: 'first', state: 'claimed', turn: 1 }],
  });
  return session;
}

/** A turn that died in its first step: call a is done in its claim, b is under way, c was started, d was not. */
async function deadTurn(): Promise<TestSession> {
  const session = await newSession();
  const { projection, ref } = session;
  for (const id of ['first', 'second']) {
    await acceptPrompt(projection.database, { ...ref, mode: 'send', entry: entry(id) });
  }
  const step = author('t1.s1');
  await send(
    session,
    [
      author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } }, 10),
      author('t1', 1)('user/message', { content: [text('go')], source }, 10, { surfaceOp: 'append' }),
      step('step/start', at, 10),
    ],
    { status: 'running', prompts: [{ promptId: 'first', state: 'claimed', turn: 1 }] },
  );
  const model = await beginEffect(projection, { ...ref, ...at, claim: 't1.s1.model', label: 'm', commit: nothing });
  if (model.state !== 'granted') throw new Error(model.state);
  const chunks = [{ type: 'text-delta' as const, index: 0, text: 'x' }];
  await appendChunks(projection, [{ target: { held: model.held, ...at }, first: 0, chunks }]);
  const content = ['a', 'b', 'c', 'd'].map(call);
  const message = author('t1.s1.model')(
    'assistant/message',
    { ...at, content, provenance: { provider: 'p', model: 'm' } },
    9,
    { surfaceOp: 'append', sources: [{ from: 3, to: 3 }] },
  );
  await finishEffect(projection, { held: model.held, outcome: { kind: 'success' }, events: [message] });
  await send(session, [
    step('tool/call', started('a'), 30),
    step('tool/call', started('b'), 30),
    step('tool/call', started('c'), 30),
  ]);
  for (const index of [0, 1]) {
    const tool = await beginEffect(projection, {
      ...ref,
      ...at,
      claim: `t1.s1.c${index}`,
      label: 'bash',
      commit: nothing,
    });
    if (tool.state !== 'granted') throw new Error(tool.state);
    if (index === 0)
      await finishEffect(projection, { held: tool.held, outcome: { content: [text('made it')], isError: false } });
  }
  return session;
}

const results = [
  ['tool/result', 'made it'],
  ['tool/result', 'TOOL_OUTCOME_UNKNOWN'],
  ['tool/result', 'TOOL_NOT_STARTED'],
  ['tool/result', 'TOOL_NOT_STARTED'],
  ['step/end', undefined],
  ['turn/end', 'interrupted'],
];
async function closing(session: TestSession): Promise<unknown[]> {
  const events = await log(session);
  expect(checkLog({ events, tail: 'closed' })).toEqual([]);
  return events.slice(8).map((event) => {
    if (event.type === 'tool/result') {
      const [block] = event.data.content;
      return [event.type, event.data.error?.code ?? (block?.type === 'text' ? block.text : '')];
    }
    return [event.type, event.type === 'turn/end' ? event.data.reason.kind : undefined];
  });
}

describe('recovering a turn', () => {
  test('real results where claims hold them, what is known of the rest, and every number of the dead', async () => {
    const session = await deadTurn();
    const input = { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' };
    const recovered = await recover(session.projection, input);
    expect(await closing(session)).toEqual(results);
    expect(recovered).toMatchObject({ generation: 2, lastTurn: 1, highestAcknowledged: 13, consumed: ['first'] });
    expect(recovered.acks.map(({ eid, seq, time }) => [eid, seq, time])).toEqual(
      Array.from({ length: 6 }, (_, n) => [`t1.s1.recovery~2/${n}`, 8 + n, expect.any(Number)]),
    );
    expect(recovered.found.chunks).toEqual([{ from: 3, to: 3 }]);
    expect((recovered.found.acks as { eid: string }[]).map(({ eid }) => eid)).toEqual([
      't1~1/0',
      't1~1/1',
      't1.s1~1/0',
      't1.s1~1/1',
      't1.s1~1/2',
      't1.s1~1/3',
    ]);
    expect(
      (recovered.found.events as WrittenEvent[]).map(({ event, seq }) => [event.eid, event.time === 9, seq]),
    ).toEqual([
      ['t1.s1.model~1/0', true, 4],
      ...Array.from({ length: 6 }, (_, n) => [`t1.s1.recovery~2/${n}`, false, 8 + n]),
    ]);
  });

  test('who was asked is asked no more: the pair is complete, and an answer finds nothing open', async () => {
    const session = await deadTurn();
    const waits = { ...at, state: 'open', answerTo: 'session:x/turn:1/step:1', request: {} } as const;
    const id = 't1.s1.c2.7';
    await send(session, [author('t1.s1.c2')('approval/asked', { id, toolName: 'bash' })], {
      interactions: [
        { ...waits, id, kind: 'approval', callId: 'c:ptc:7' },
        { ...waits, id: 't1.s1.c3', kind: 'question' },
      ],
    });
    await recover(session.projection, { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' });
    const events = await log(session);
    expect(events[9]).toMatchObject({ type: 'approval/decided', data: { id, outcome: 'cancelled' } });
    expect(checkLog({ events, tail: 'closed' })).toEqual([]);
    const rows = await listInteractions(session.projection.database, session.ref);
    expect(rows.map(({ state, outcome }) => [state, outcome])).toEqual([
      ['cancelled', 'cancelled'],
      ['cancelled', { kind: 'cancelled' }],
    ]);
  });

  test('calls of a program that were under way: what their claims hold, what is unknown, what never began', async () => {
    const session = await deadTurn();
    const sub = (n: number) => ({
      rootCallId: 'c' as CallId,
      parentCallId: 'c' as CallId,
      subCallId: `c:ptc:${n}` as CallId,
      name: 'bash',
      arguments: '{}',
    });
    const program = author('t1.s1.c2');
    await send(
      session,
      [1, 2, 3].map((n) => program('tool/ptc-dispatch-start', sub(n), 40)),
    );
    const { projection, ref } = session;
    for (const n of [1, 2]) {
      const begun = await beginEffect(projection, {
        ...ref,
        ...at,
        claim: `t1.s1.c2.${n}`,
        label: 'bash',
        commit: nothing,
      });
      if (begun.state !== 'granted') throw new Error(begun.state);
      const outcome = { content: [text('all of it')], isError: false, forProgram: { value: 1, logged: [text('it')] } };
      if (n === 1) await finishEffect(projection, { held: begun.held, outcome });
    }
    await recover(projection, { ...ref, turn: 1, cause: 'terminated', runId: 'run-1' });
    const events = await log(session);
    const settled = events.flatMap(({ type, data }) => (type === 'tool/ptc-dispatch' ? [data] : []));
    expect(settled).toMatchObject([
      { ...sub(1), content: [text('it')], isError: false },
      { ...sub(2), isError: true, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
      { ...sub(3), isError: true, error: { code: 'TOOL_NOT_STARTED' } },
    ]);
    expect(checkLog({ events, tail: 'closed' })).toEqual([]);
  });

  test('a plan that was approved in a program of the dead turn is approved', async () => {
    const session = await deadTurn();
    const [rootCallId, subCallId] = ['c', 'c:ptc:1'] as [CallId, CallId];
    const sub = { rootCallId, parentCallId: rootCallId, subCallId, name: 'exit_plan_mode', arguments: '{}' };
    const program = author('t1.s1.c2');
    await send(session, [
      author('t1', 5)('plan/mode', { active: true }),
      program('tool/ptc-dispatch-start', sub),
      program('tool/ptc-dispatch', { ...sub, content: [text('The plan is approved.')], isError: false }),
    ]);
    const { knobs } = await recover(session.projection, { ...session.ref, turn: 1, cause: 'killed', runId: 'run-1' });
    expect(knobs?.plan).toMatchObject({ active: true, next: { active: false } });
  });

  test('is done once however often it is tried, also at the same time', async () => {
    const session = await deadTurn();
    const input = { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' };
    const [first, second] = await Promise.all([recover(session.projection, input), recover(session.projection, input)]);
    const third = await recover(session.projection, input);
    for (const again of [second, third]) expect({ ...again, acks: [] }).toEqual({ ...first, acks: [] });
    expect(await closing(session)).toEqual(results);
  });

  test('shuts the dead out', async () => {
    const session = await deadTurn();
    await recover(session.projection, { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' });
    const late = author('t1.s1', 9)('step/end', at);
    await expect(send(session, [late])).rejects.toMatchObject({ code: 'LOG_FENCED' });
    await expect(
      recover(session.projection, { ...session.ref, turn: 1, cause: 'again', runId: 'another' }),
    ).rejects.toMatchObject({ code: 'LOG_FENCED' });
  });

  test('a turn that dies before it lets its message in has not used it; one that ended has', async () => {
    const session = await unadmittedTurn();
    const input = { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' };
    expect(await recover(session.projection, input)).toMatchObject({ generation: 2, lastTurn: 1, consumed: [] });
    const ended = await unadmittedTurn();
    await send(ended, [], { prompts: [{ promptId: 'first', state: 'done', turn: 1 }] });
    expect(await recover(ended.projection, { ...input, ...ended.ref })).toMatchObject({ consumed: ['first'] });
  });

  test('a turn of the same number that dies again is closed off again', async () => {
    const session = await newSession();
    const input = { ...session.ref, turn: 1, cause: 'failed', runId: 'run-1' };
    expect(await recover(session.projection, input)).toMatchObject({ generation: 2, lastTurn: 0 });
    const again = { ...input, generation: 2 };
    expect(await recover(session.projection, again)).toMatchObject({ generation: 3, lastTurn: 0 });
    expect(await recover(session.projection, again)).toMatchObject({ generation: 3 });
  });

  test('a turn that never wrote leaves the log as it is', async () => {
    const session = await newSession();
    expect(await recover(session.projection, { ...session.ref, turn: 1, cause: 'failed', runId: 'run-1' })).toEqual({
      acks: [],
      generation: 2,
      lastTurn: 0,
      highestAcknowledged: -1,
      found: { events: [], acks: [], chunks: [], settled: [] },
      consumed: [],
    });
  });
});

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
    expect(await reset()).toMatchObject({ kind: 'refused', code: 'SESSION_RESET' });
    expect(await session.row()).toMatchObject({ status: 'broken', generation: 1 });
    expect(await opened(session, 'run-3', 'resume')).toMatchObject({ kind: 'opened', generation: 2 });
    await send({ ...session, ref: { ...session.ref, generation: 2 } }, [], { status: 'closed' });
    expect(await reset()).toMatchObject({ kind: 'refused', code: 'SESSION_RESET' });
    expect(await session.row()).toMatchObject({ status: 'closed' });
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
