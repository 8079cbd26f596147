import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { text } from '@everturn/core/domain';
import type { AuthoredEvent } from '@everturn/core/domain';
import { listEffects, readEvents, takeHost } from '@everturn/core/postgres';
import { waitFor } from '@everturn/core/testing';
import { appendChunks, chunkEvents } from './append-chunks.ts';
import { beginEffect } from './begin-effect.ts';
import type { BeginEffectInput, Begun, HeldClaim } from './begin-effect.ts';
import { commit } from './commit.ts';
import { finishEffect } from './finish-effect.ts';
import { renewLeases, requestCancel } from './leases.ts';
import type { Projection } from './projection.ts';
import { settle } from './settle.ts';
import {
  author,
  closeTestProjection,
  newSession,
  openTestProjection,
  otherProcess,
  source,
} from './test/test-session.ts';
import type { TestSession } from './test/test-session.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

const nothing = { events: [], highestAcknowledged: -1 };
const text1 = (value: string) => ({ type: 'text-delta' as const, index: 0, text: value });
const provenance = { provider: 'p', model: 'm' };
const model = (session: TestSession, rest: Partial<BeginEffectInput> = {}): BeginEffectInput => ({
  ...session.ref,
  claim: 't1.s1.model',
  turn: 1,
  step: 1,
  label: 'm',
  commit: nothing,
  ...rest,
});

/** A session whose first step is open: seq 0 to 2. */
async function inStep(): Promise<TestSession & { opened: AuthoredEvent[] }> {
  const session = await newSession();
  const opened = [
    author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    author('t1', 1)('user/message', { content: [text('go')], source }, 0, { surfaceOp: 'append' }),
    author('t1.s1')('step/start', { turn: 1, step: 1 }),
  ];
  await commit(session.projection, { ...session.ref, commit: { ...nothing, events: opened } });
  return { ...session, opened };
}

function held(begun: Begun): HeldClaim {
  if (!('held' in begun)) throw new Error(`the claim was not granted: ${begun.state}`);
  return begun.held;
}

/** Lets a holder's lease run out, as the database's clock would. */
async function lapse({ projection, ref }: TestSession, claim = 't1.s1.model'): Promise<void> {
  await sql`update claims set lease_until = clock_timestamp() - interval '1 millisecond'
    where session_id = ${ref.session} and key = ${claim}`.execute(projection.database);
}

async function takeOver(projection: Projection, input: BeginEffectInput): Promise<Begun> {
  return waitFor(
    async () => {
      const begun = await beginEffect(projection, input);
      return begun.state === 'live' ? undefined : begun;
    },
    { what: 'the claim to be taken over', everyMs: 200 },
  );
}

describe('beginning', () => {
  test('commits, claims and reads the log in one call', async () => {
    const session = await newSession();
    const events = [
      author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } }, 7),
      author('t1.s1')('step/start', { turn: 1, step: 1 }, 8),
    ];
    const begun = await beginEffect(
      session.projection,
      model(session, { commit: { ...nothing, events }, readFrom: 1 }),
    );
    expect(begun).toEqual({
      state: 'granted',
      held: { ...session.ref, claim: 't1.s1.model', epoch: 1 },
      acks: [
        { eid: 't1~1/0', seq: 0, time: 7 },
        { eid: 't1.s1~1/0', seq: 1, time: 8 },
      ],
      rows: [{ type: 'step/start', seq: 1, time: 8, data: { turn: 1, step: 1 } }],
    });
  });

  test('a refused commit takes no claim', async () => {
    const session = await newSession();
    const dead = { ...session.ref, generation: 0 };
    await expect(beginEffect(session.projection, { ...model(session), ...dead })).rejects.toMatchObject({
      code: 'LOG_FENCED',
    });
    expect(await listEffects(session.projection.database, { ...session.ref, limit: 10 })).toEqual([]);
  });

  test('twenty attempts at once: one is granted, the others see it live', async () => {
    const session = await inStep();
    const states = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => (await beginEffect(otherProcess(`p${n}`), model(session))).state),
    );
    expect(states.toSorted()).toEqual(['granted', ...Array.from({ length: 19 }, () => 'live')]);
  });
});

describe('finishing', () => {
  test('an outcome that says no more than that it may have happened makes the effect unknown', async () => {
    const session = await inStep();
    const mine = held(await beginEffect(session.projection, model(session)));
    const input = { held: mine, outcome: { error: 'nobody knows' }, settleAs: 'unknown' as const };
    const finished = { kind: 'finished', outcome: input.outcome, written: [], chunks: [] };
    expect(await finishEffect(session.projection, input)).toEqual(finished);
    expect(await finishEffect(session.projection, input)).toEqual(finished);
    const late = { state: 'closed', settled: 'unknown' };
    expect(await beginEffect(otherProcess('late'), model(session))).toMatchObject(late);
    const { database } = session.projection;
    expect(await listEffects(database, { ...session.ref, state: 'unknown', limit: 9 })).toMatchObject([
      { key: 't1.s1.model', epoch: 1 },
    ]);
  });

  test('the message, the last chunks and the outcome appear together; later attempts get the same', async () => {
    const session = await inStep();
    const mine = held(await beginEffect(session.projection, model(session)));
    const target = { held: mine, turn: 1, step: 1 };
    expect(await appendChunks(session.projection, [{ target, first: 0, chunks: [text1('a'), text1('b')] }])).toEqual([
      { kind: 'written', ranges: [{ from: 3, to: 4 }] },
    ]);
    const chunks = chunkEvents({ target, first: 1, chunks: [text1('b'), text1('c')] }, 99);
    const message = author('t1.s1.model')(
      'assistant/message',
      { turn: 1, step: 1, content: [text('abc')], provenance },
      50,
      { surfaceOp: 'append', sources: [{ from: 3, to: 3 }, ...chunks.map(({ eid }) => eid)] },
    );
    const input = { held: mine, outcome: { kind: 'success', text: 'a\0c' }, events: [message], chunks };
    const finished = await finishEffect(session.projection, input);
    const written = [{ event: { ...message, sources: [{ from: 3, to: 5 }] }, seq: 6, time: expect.any(Number) }];
    const record = { outcome: { kind: 'success', text: 'a\0c' }, written, chunks: [{ from: 3, to: 5 }] };
    expect(finished).toEqual({ kind: 'finished', ...record });
    expect(await finishEffect(session.projection, input)).toEqual(finished);
    expect(await beginEffect(otherProcess('late'), model(session))).toMatchObject({ state: 'done', ...record });
    const settled = await settle(session.projection, {
      ...session.ref,
      claims: ['t1.s1.model'],
      live: 'wait',
      commit: nothing,
    });
    expect(settled).toEqual({ acks: [], settlements: { 't1.s1.model': { state: 'done', ...record } } });
    const { events } = await readEvents(session.projection.database, { ...session.ref, from: 3, limit: 10 });
    expect(events.map((event) => [event.seq, event.type, event.sourceEventSeqs])).toEqual([
      [3, 'assistant/chunk', undefined],
      [4, 'assistant/chunk', undefined],
      [5, 'assistant/chunk', undefined],
      [6, 'assistant/message', [3, 4, 5]],
    ]);
  });

  test('a refused event leaves the claim open', async () => {
    const session = await inStep();
    const mine = held(await beginEffect(session.projection, model(session)));
    const misplaced = author('t1.s1.model')('step/start', { turn: 1, step: 9 });
    await expect(
      finishEffect(session.projection, { held: mine, outcome: null, events: [misplaced] }),
    ).rejects.toMatchObject({ code: 'LOG_ENCLOSURE' });
    expect(await finishEffect(session.projection, { held: mine, outcome: 'ok' })).toMatchObject({ kind: 'finished' });
  });
});

describe('leases', () => {
  test('a lapsed lease is taken over only after a second look, and the late holder is refused everything', async () => {
    const session = await inStep();
    const late = held(await beginEffect(session.projection, model(session)));
    await appendChunks(session.projection, [
      { target: { held: late, turn: 1, step: 1 }, first: 0, chunks: [text1('a')] },
    ]);
    await lapse(session);
    const other = otherProcess('other');
    expect(await beginEffect(other, model(session))).toMatchObject({ state: 'live', owner: 'test' });
    expect(await takeOver(other, model(session))).toMatchObject({
      state: 'taken-over',
      held: { epoch: 2 },
      chunks: [{ from: 3, to: 3 }],
    });
    expect(await renewLeases(session.projection, [late])).toEqual(new Map());
    expect(await finishEffect(session.projection, { held: late, outcome: 'late' })).toEqual({ kind: 'lost' });
    const healthy = await inStep();
    const good = held(await beginEffect(session.projection, model(healthy)));
    const parts = [late, good].map((claim) => ({
      target: { held: claim, turn: 1, step: 1 },
      first: 1,
      chunks: [text1('x')],
    }));
    expect(await appendChunks(session.projection, parts)).toEqual([
      { kind: 'refused', reason: expect.stringContaining('no longer held') },
      { kind: 'written', ranges: [{ from: 3, to: 3 }] },
    ]);
  });

  test('a holder that renews between two looks keeps its claim', async () => {
    const session = await inStep();
    const mine = held(await beginEffect(session.projection, model(session)));
    await lapse(session);
    expect((await beginEffect(otherProcess('other'), model(session))).state).toBe('live');
    expect(await renewLeases(session.projection, [mine])).toEqual(new Map([[mine, 'held']]));
    await lapse(session);
    // The earlier look counts no more: this is the first of its own outage.
    expect((await beginEffect(otherProcess('other'), model(session))).state).toBe('live');
    expect(await finishEffect(session.projection, { held: mine, outcome: 1 })).toMatchObject({ kind: 'finished' });
  });

  test('claims of a host are lapsed at once when another process took the host', async () => {
    const session = await inStep();
    const { database } = session.projection;
    const host = { host: 'h1' as never, roots: ['/w'] };
    await takeHost(database, { ...host, holder: 'one' });
    const first = otherProcess('one', { id: host.host, epoch: 1 });
    held(await beginEffect(first, model(session)));
    await takeHost(database, { ...host, holder: 'two', deadHolder: 'one' });
    const second = otherProcess('two', { id: host.host, epoch: 2 });
    expect(await beginEffect(second, model(session))).toMatchObject({ state: 'taken-over', held: { epoch: 2 } });
  });

  test('a waiting attempt asks the holder to stop', async () => {
    const session = await inStep();
    const mine = held(await beginEffect(session.projection, model(session)));
    await requestCancel(otherProcess('waiting'), mine);
    expect(await renewLeases(session.projection, [mine])).toEqual(new Map([[mine, 'cancel-requested']]));
  });
});

describe('settling', () => {
  const claims = ['t1.s1.model'];

  test('a claim that was never taken is shut for late attempts', async () => {
    const session = await inStep();
    const input = { ...session.ref, claims, live: 'wait' as const, commit: nothing };
    const answer = { acks: [], settlements: { 't1.s1.model': { state: 'not-started' } } };
    expect(await settle(session.projection, input)).toEqual(answer);
    expect(await settle(session.projection, input)).toEqual(answer);
    expect(await beginEffect(session.projection, model(session))).toMatchObject({ state: 'closed', settled: 'void' });
  });

  test('a live holder is waited for, or taken over from at once', async () => {
    const session = await inStep();
    const mine = held(await beginEffect(session.projection, model(session)));
    const waiting = settle(session.projection, { ...session.ref, claims, live: 'wait', commit: nothing });
    await finishEffect(session.projection, { held: mine, outcome: 'in time' });
    expect((await waiting).settlements).toMatchObject({ 't1.s1.model': { state: 'done', outcome: 'in time' } });
    const other = await inStep();
    const lost = held(await beginEffect(session.projection, model(other)));
    const taken = await settle(other.projection, { ...other.ref, claims, live: 'take-over', commit: nothing });
    expect(taken.settlements).toEqual({ 't1.s1.model': { state: 'unknown', chunks: [] } });
    expect(await finishEffect(other.projection, { held: lost, outcome: 'late' })).toEqual({ kind: 'lost' });
    expect(await beginEffect(other.projection, model(other))).toMatchObject({ state: 'closed', settled: 'unknown' });
  });

  test('a holder that is gone is settled as unknown, and its chunks are told', async () => {
    const session = await inStep();
    const gone = held(await beginEffect(otherProcess('gone'), model(session)));
    await appendChunks(otherProcess('gone'), [
      { target: { held: gone, turn: 1, step: 1 }, first: 0, chunks: [text1('a')] },
    ]);
    await lapse(session);
    const { settlements } = await settle(session.projection, { ...session.ref, claims, live: 'wait', commit: nothing });
    expect(settlements).toEqual({ 't1.s1.model': { state: 'unknown', chunks: [{ from: 3, to: 3 }] } });
  });

  test('waiting ends with the signal', async () => {
    const session = await inStep();
    held(await beginEffect(session.projection, model(session)));
    const signal = AbortSignal.timeout(50);
    await expect(
      settle(session.projection, { ...session.ref, claims, live: 'wait', commit: nothing }, { signal }),
    ).rejects.toThrow();
  });
});
