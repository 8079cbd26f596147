import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventId, text } from '@everturn/core/domain';
import type { AuthoredEvent } from '@everturn/core/domain';
import { COMMITTED_CHANNEL, fromPayload, openNotifications, readEvents, readHead } from '@everturn/core/postgres';
import { waitFor } from '@everturn/core/testing';
import type { Commit } from '../contract/index.ts';
import { putBlob } from './blobs.ts';
import { commit } from './commit.ts';
import {
  author,
  closeTestProjection,
  newSession,
  openTestProjection,
  source,
  testDatabaseUrl,
} from './test/test-session.ts';
import type { TestSession } from './test/test-session.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

const nothing: Commit = { events: [], highestAcknowledged: -1 };
const send = ({ projection, ref }: TestSession, events: AuthoredEvent[], rest: Partial<Commit> = {}) =>
  commit(projection, { ...ref, commit: { ...nothing, events, ...rest } });
const log = async ({ projection, ref }: TestSession) =>
  (await readEvents(projection.database, { ...ref, from: 0, limit: 1000 })).events;

describe('numbering', () => {
  test('events get dense numbers in order and readers see them without names', async () => {
    const session = await newSession();
    const t1 = author('t1');
    const start = t1('turn/start', { turn: 1, trigger: { kind: 'message', source } }, 1000);
    const user = t1('user/message', { content: [text('go')], source }, 999, { surfaceOp: 'append' });
    const { acks } = await send(session, [start, user]);
    expect(acks).toEqual([
      { eid: 't1~1/0', seq: 0, time: 1000 },
      { eid: 't1~1/1', seq: 1, time: 1000 },
    ]);
    expect(await log(session)).toEqual([
      { type: 'turn/start', seq: 0, time: 1000, data: { turn: 1, trigger: { kind: 'message', source } } },
      { type: 'user/message', seq: 1, time: 1000, data: { content: [text('go')], source }, surfaceOp: 'append' },
    ]);
  });

  test('a name that is there is answered with its number; other content under it is refused', async () => {
    const session = await newSession();
    const start = author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } }, 5);
    const first = await send(session, [start]);
    expect(await send(session, [start])).toEqual(first);
    const forged = { ...start, time: 6 };
    await expect(send(session, [forged])).rejects.toMatchObject({ code: 'LOG_DIVERGED', retryable: false });
    expect(await log(session)).toHaveLength(1);
  });

  test('eight writers, every fifth commit doubled: dense, each event once', async () => {
    const session = await newSession();
    await send(session, [author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } })]);
    const writers = Array.from({ length: 8 }, (_, writer) => author(`t1.s1.w${writer}`));
    await Promise.all(
      writers.map(async (write) => {
        for (let n = 0; n < 25; n += 1) {
          const event = write('todo/write', { todos: [{ content: `${n}`, status: 'pending' }] });
          const attempts = Array.from({ length: n % 5 === 0 ? 2 : 1 }, () => send(session, [event]));
          const [one, two] = await Promise.all(attempts);
          if (two) expect(two).toEqual(one);
        }
      }),
    );
    const events = await log(session);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 201 }, (_, seq) => seq));
    expect(await readHead(session.projection.database, session.ref)).toMatchObject({ nextSeq: 201, openTurn: 1 });
  });

  test('sources and bounds named by eid become numbers, neighbours become ranges', async () => {
    const session = await newSession();
    const t1 = author('t1');
    const start = t1('turn/start', { turn: 1, trigger: { kind: 'message', source } });
    const parts = [1, 2, 3].map((n) =>
      t1('context/message', { content: [text(`${n}`)], source }, 0, { surfaceOp: 'append' }),
    );
    const [a, b, c] = parts.map(({ eid }) => eid);
    const whole = t1('user/message', { content: [text('sum')], source }, 0, {
      surfaceOp: { op: 'replace', start: a as never, end: 3 },
      sources: [b, c, a] as never,
    });
    await send(session, [start, ...parts, whole]);
    expect((await log(session)).at(-1)).toEqual({
      type: 'user/message',
      seq: 4,
      time: 0,
      data: { content: [text('sum')], source },
      surfaceOp: { op: 'replace', start: 1, end: 3 },
      sourceEventSeqs: [2, 3, 1],
    });
    const unknown = t1('user/message', { content: [], source }, 0, {
      surfaceOp: 'append',
      sources: [eventId('t9', 1, 9)],
    });
    await expect(send(session, [unknown])).rejects.toMatchObject({ code: 'LOG_UNRESOLVED' });
  });

  test('text is kept byte for byte: NUL, lone surrogates and escapes', async () => {
    const session = await newSession();
    const nasty = 'a\0b \ud83d \\u0000 \u2028 🙂 \r';
    const t1 = author('t1');
    const start = t1('turn/start', { turn: 1, trigger: { kind: 'message', source } });
    const inline = t1('user/message', { content: [text(nasty)], source }, 0, { surfaceOp: 'append' });
    const reference = await putBlob(session.projection, session.ref.tenant, [text(nasty)]);
    const byReference = t1('context/message', { content: reference, source }, 0, { surfaceOp: 'append' });
    await send(session, [start, inline, byReference], {
      rows: { requests: [{ requestId: 'r' as never, outcome: 'refused', code: 'X', message: nasty }] },
    });
    const events = await log(session);
    expect(events.slice(1).map(({ data }) => data)).toEqual([
      { content: [text(nasty)], source },
      { content: [text(nasty)], source },
    ]);
    const { rows } = await sql<{ data: string }>`
      select data from session_events where session_id = ${session.ref.session} and seq > 0 order by seq`.execute(
      session.projection.database,
    );
    const exact = `{"content":[{"text":"a\\u0000b \\ud83d \\\\u0000 \u2028 🙂 \\r","type":"text"}],"source":{"kind":"user"}}`;
    expect(rows.map(({ data }) => data)).toEqual([exact, exact]);
    const lost = t1('context/message', { content: { $blob: 'f'.repeat(64) as never, bytes: 1 }, source }, 0, {
      surfaceOp: 'append',
    });
    await expect(send(session, [lost])).rejects.toMatchObject({ code: 'BLOB_MISSING' });
  });
});

describe('refusals', () => {
  const begin = (turn: number) => author(`t${turn}`)('turn/start', { turn, trigger: { kind: 'message', source } });
  const end = (turn: number) => author(`t${turn}`, 50)('turn/end', { turn, reason: { kind: 'completed' } });

  test('a dead author, a restored database, a closed session', async () => {
    const session = await newSession();
    await send(session, [begin(1), end(1)]);
    await expect(send({ ...session, ref: { ...session.ref, generation: 0 } }, [begin(2)])).rejects.toMatchObject({
      code: 'LOG_FENCED',
    });
    await expect(send(session, [begin(2)], { highestAcknowledged: 2 })).rejects.toMatchObject({
      code: 'LOG_BEHIND',
      retryable: true,
    });
    await send(session, [], { rows: { status: 'closed' } });
    await expect(send(session, [begin(2)])).rejects.toMatchObject({ code: 'LOG_CLOSED' });
    expect((await send(session, [end(1)])).acks).toEqual([{ eid: 't1~1/50', seq: 1, time: 0 }]);
    const foreign = { ...session, ref: { ...session.ref, tenant: 'other' as never } };
    await expect(send(foreign, [begin(2)])).rejects.toMatchObject({ code: 'LOG_MISSING' });
  });

  test('work for a turn that is not open yet may come again, for one that is closed not', async () => {
    const session = await newSession();
    const note = author('session')('todo/write', { todos: [] });
    await expect(send(session, [note], { expectOpenTurn: 1 })).rejects.toMatchObject({
      code: 'LOG_TURN_NOT_OPEN',
      retryable: true,
    });
    await send(session, [begin(1)]);
    const { acks } = await send(session, [note], { expectOpenTurn: 1 });
    await send(session, [end(1)]);
    expect(await send(session, [note], { expectOpenTurn: 1 })).toEqual({ acks });
    const late = author('session', 1)('todo/write', { todos: [] });
    await expect(send(session, [late], { expectOpenTurn: 1 })).rejects.toMatchObject({
      code: 'LOG_TURN_CLOSED',
      retryable: false,
    });
    await expect(send(session, [], { expectOpenTurn: 1 })).rejects.toMatchObject({ code: 'LOG_TURN_CLOSED' });
  });

  test('a commit is whole or nothing', async () => {
    const session = await newSession();
    await expect(
      send(session, [begin(1), end(2)], { rows: { status: 'running', queueLength: 7 } }),
    ).rejects.toMatchObject({ code: 'LOG_ENCLOSURE', retryable: false });
    expect(await log(session)).toEqual([]);
    expect(await session.row()).toMatchObject({ status: 'idle', queueLength: 0 });
  });
});

describe('readers', () => {
  test('are told which sessions changed, after the change is there, and not of commits that changed nothing', async () => {
    const session = await newSession();
    await session.projection.notifier.flushed();
    const notes: string[] = [];
    const notifications = await openNotifications({ url: testDatabaseUrl(), channel: COMMITTED_CHANNEL });
    const seen = Promise.withResolvers<number>();
    notifications.subscribe((payload) => {
      notes.push(...fromPayload(payload).map((note) => `${note.tenant}/${note.session}`));
      void log(session).then((events) => seen.resolve(events.length));
    });
    const start = author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } });
    await send(session, [start]);
    expect(await seen.promise).toBe(1);
    await send(session, [start]);
    const other = await newSession('other');
    await session.projection.notifier.flushed();
    const names = [`acme/${session.ref.session}`, `other/${other.ref.session}`];
    await waitFor(() => notes.length >= 2, { what: 'both notes' });
    expect(notes).toEqual(names);
    await notifications.close();
  });
});

describe('rows beside the log', () => {
  test('change with the commit; what was decided earlier and comes later changes nothing', async () => {
    const session = await newSession();
    await send(session, [], { rows: { at: 20, status: 'running', openTurn: 1, queueLength: 2, model: 'm\0' } });
    await send(session, [], { rows: { at: 10, status: 'idle', queueLength: 5 } });
    await send(session, [], { rows: { at: 30, openTurn: null } });
    const row = await session.row();
    expect(row).toMatchObject({ status: 'running', queueLength: 2, model: 'm\uFFFD' });
    expect(row).not.toHaveProperty('openTurn');
  });
});
