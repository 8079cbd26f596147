import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { text } from '@everturn/core/domain';
import { payloadStore, readGaps, startSessionRow } from '@everturn/core/postgres';
import { testTemporal, waitFor } from '@everturn/core/testing';
import { guardedConverter, sessionWorkflowId, stepWorkflowId, turnWorkflowId } from '@everturn/core/protocol';
import { fetchRun } from './histories/walk-histories.ts';
import { rebuild } from './rebuild.ts';
import { seal } from './seal.ts';
import { scriptedActivities } from './test/scripted-activities.ts';
import type { Act } from './test/scripted-workflows.ts';
import { dyingTurn, firstTurn, key, seeds, story } from './test/session-story.ts';
import type { Story } from './test/session-story.ts';
import { closeTestProjection, openTestProjection, otherProcess, source } from './test/test-session.ts';
import { sealDue } from './upkeep.ts';
import { verify } from './verify.ts';

const QUEUE = 'rebuild-test';
let client: Client;
let stopWorker: () => Promise<void>;
const keptOut: { workflow: string | undefined; bytes: number }[] = [];
const projection = () => otherProcess('test');
const histories = () => ({ client: client.workflow });

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
  });
  await openTestProjection();
  const { address, namespace } = await testTemporal();
  const dataConverter = guardedConverter(payloadStore(projection().database), (one) => keptOut.push(one));
  client = new Client({ connection: await Connection.connect({ address }), namespace, dataConverter });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    dataConverter,
    taskQueue: QUEUE,
    workflowsPath: fileURLToPath(new URL('./test/scripted-workflows.ts', import.meta.url)),
    activities: scriptedActivities(projection()),
  });
  const running = worker.run();
  stopWorker = async () => {
    worker.shutdown();
    await running;
    await connection.close();
    await client.connection.close();
  };
}, 180_000);
afterAll(async () => {
  await stopWorker();
  await closeTestProjection();
});

/** Plays the life of a session: a seed, a turn, a continue-as-new, a turn that dies and is recovered, and its end. */
async function live(session: string): Promise<Story> {
  const told = story(session);
  await startSessionRow(projection().database, { ...told.ref, header: {}, options: {} });
  const recovered: Act = {
    do: 'activity',
    name: 'recover',
    input: { ...told.ref, turn: 3, cause: 'terminated', runId: 'life' },
  };
  const second: Act[] = [
    { do: 'child', workflowId: turnWorkflowId(told.ref.session, 3), script: dyingTurn(told), onFailure: [recovered] },
    story(session, 2).commit([], { status: 'closed' }),
  ];
  const script: Act[] = [
    { do: 'activity', name: 'openLog', input: { ...key(session), intent: 'open' } },
    told.commit(seeds()),
    { do: 'child', workflowId: turnWorkflowId(told.ref.session, 2), script: await firstTurn(projection(), told) },
    { do: 'continue', script: second },
  ];
  const handle = await client.workflow.start('scripted', {
    workflowId: sessionWorkflowId(told.ref.session),
    taskQueue: QUEUE,
    args: [script],
  });
  await handle.signal('submitPrompt', {
    requestId: 'p1',
    mode: 'send',
    content: [text('go')],
    source,
    preview: 'go',
  });
  const dying = client.workflow.getHandle(turnWorkflowId(told.ref.session, 3));
  await waitFor(async () => (await storedLog(session)).some(({ type }) => type === 'todo/write'), {
    what: 'the dying turn',
  });
  await dying.terminate('test');
  await handle.result();
  return told;
}

async function storedLog(session: string): Promise<Record<string, unknown>[]> {
  const { rows: found } = await sql<Record<string, unknown>>`
    select seq, type, time, stamped_time, eid, encode(content_hash, 'hex') as hash, data, turn, step, surface_op,
      replace_start, replace_end, source_ranges
    from session_events where session_id = ${session} order by seq`.execute(projection().database);
  return found;
}
async function head(session: string): Promise<unknown> {
  const { rows: found } = await sql`
    select to_jsonb(h) - 'opened_by' - 'session_from' - 'session_to' as head
    from log_heads as h where session_id = ${session}`.execute(projection().database);
  return found[0];
}
async function statuses(session: string): Promise<unknown[]> {
  const { rows: found } = await sql`
    select 'claim' as kind, key as id, state, outcome as value from claims where session_id = ${session}
    union all
    select 'prompt', prompt_id, state, turn::text from prompts where session_id = ${session}
    union all
    select 'job', id, state, concat_ws(' ', kind, number, label, detail, call_key, turn, step, reported)
    from jobs where session_id = ${session}
    order by 1, 2`.execute(projection().database);
  return found;
}

test('a log is recreated from histories, equal but for chunks', async () => {
  await sql`
    insert into webhooks (id, tenant, session_id, url, events, secret)
    values ('hook', 'acme', 'rebuilt', 'http://127.0.0.1:9', '{turn.ended}', 's')`.execute(projection().database);
  const { ref } = await live('rebuilt');
  const before = { rows: await storedLog('rebuilt'), head: await head('rebuilt'), claims: await statuses('rebuilt') };
  const report = await verify(projection(), histories(), ref);
  expect(report).toMatchObject({ sound: true, problems: [], unconfirmed: 0, lost: [] });
  const { database } = projection();
  for (const table of ['session_events', 'log_heads', 'claims', 'prompts', 'jobs', 'job_pages']) {
    await sql`delete from ${sql.table(table)} where session_id = ${ref.session}`.execute(database);
  }
  const forgotten = await sql`delete from webhook_deliveries where session_id = ${ref.session}`.execute(database);
  expect(forgotten.numAffectedRows).toBe(2n);
  expect((await verify(projection(), histories(), ref)).sound).toBe(false);
  const isChunk = ({ type }: Record<string, unknown>) => type === 'assistant/chunk';
  const kept = before.rows.filter((row) => !isChunk(row));
  expect(await rebuild(projection(), histories(), ref)).toEqual({
    restored: kept.length,
    kept: 0,
    gaps: 3,
    effects: 7,
    prompts: 1,
    jobs: 2,
  });
  expect(await storedLog('rebuilt')).toEqual(kept);
  expect((await sql`select id from webhook_deliveries`.execute(database)).rows).toEqual([]);
  expect(await head('rebuilt')).toEqual(before.head);
  expect(await readGaps(database, ref)).toEqual([
    { from: 6, to: 7, reason: 'rebuilt' },
    { from: 15, to: 15, reason: 'rebuilt' },
  ]);
  expect(await statuses('rebuilt')).toEqual([
    ...before.claims,
    { kind: 'prompt', id: 'p1', state: 'done', value: '2' },
  ]);
  expect(before.claims).toMatchObject([
    { kind: 'claim', id: 't2.s1.c0' },
    { kind: 'claim', id: 't2.s1.c1' },
    { kind: 'claim', id: 't2.s1.c2' },
    { kind: 'claim', id: 't2.s1.hook:tools/guard:c0', state: 'done' },
    { kind: 'claim', id: 't2.s1.model' },
    { kind: 'claim', id: 't3.s1.c0' },
    { kind: 'claim', id: 't3.s1.model' },
    { kind: 'job', id: 'bash-1', state: 'completed', value: 'bash 1 sleep 1 exit code 0 t2.s1.c1 2 1 t' },
    { kind: 'job', id: 'bash-2', state: 'stopping', value: 'bash 2 sleep 9 t2.s1.c2 2 1 t' },
  ]);
  expect(await verify(projection(), histories(), ref)).toMatchObject({ sound: true, problems: [] });
  expect(await rebuild(projection(), histories(), ref)).toMatchObject({ restored: 0, kept: kept.length, gaps: 3 });
});

test('an altered, a missing and a foreign row are each found, and mended by a rebuild', async () => {
  const { ref } = await live('altered');
  const before = await storedLog('altered');
  const { database } = projection();
  const damage = async (statement: ReturnType<typeof sql>): Promise<string[]> => {
    await statement.execute(database);
    const { problems } = await verify(projection(), histories(), ref);
    await rebuild(projection(), histories(), ref);
    expect(await storedLog('altered')).toEqual(before);
    return [...new Set(problems.map(({ by, message }) => `${by}: ${message.replace(/:.*/, '')}`))];
  };
  expect(
    await damage(
      sql`update session_events set data = replace(data, 'before', 'after') where session_id = 'altered' and seq = 1`,
    ),
  ).toEqual([
    'histories: seed/1 differs from its history in data',
    'rows: the content of seed/1 does not have its hash',
  ]);
  expect(
    await damage(sql`update session_events set source_ranges = '[[6, 6]]' where session_id = 'altered' and seq = 8`),
  ).toContain('histories: t2.s1.model~1/0 differs from its history in source_ranges');
  expect(await damage(sql`delete from session_events where session_id = 'altered' and seq = 9`)).toContain(
    'histories: the row of t2.s1~1/1 is missing',
  );
  expect(
    await damage(sql`update session_events set eid = 't9~1/0' where session_id = 'altered' and seq = 9`),
  ).toContain('histories: t2.s1~1/1 differs from its history in eid');
});

/** The server deletes in its own time: seconds, as a rule. */
async function deleteHistory(workflowId: string): Promise<void> {
  await client.connection.workflowService.deleteWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
  });
  const isGone = () =>
    client.workflow
      .getHandle(workflowId)
      .describe()
      .then(
        () => false,
        () => true,
      );
  await waitFor(isGone, { what: `the deletion of ${workflowId}`, timeoutMs: 150_000, everyMs: 200 });
}

test('a sealed turn is verified without its histories, and an altered row is found', async () => {
  const { ref } = await live('sealed');
  expect(await seal(projection(), histories(), { ...ref, through: 2 })).toEqual([1, 2]);
  expect(await seal(projection(), histories(), { ...ref, through: 2 })).toEqual([]);
  const gone = [turnWorkflowId(ref.session, 2), stepWorkflowId(ref.session, 2, 1)];
  await Promise.all(gone.map(deleteHistory));
  const report = await verify(projection(), histories(), ref);
  expect(report).toMatchObject({ sound: true, sealed: { turns: 2, toSeq: 12 }, lost: [] });
  expect(report.compared).toBe(5);
  expect(await rebuild(projection(), histories(), ref)).toMatchObject({ restored: 0 });
  const { database } = projection();
  await sql`update session_events set time = time + 1 where session_id = 'sealed' and seq = 12`.execute(database);
  expect((await verify(projection(), histories(), ref)).problems).toContainEqual({
    by: 'seals',
    seq: 12,
    message: 'the rows of turn 2 are not those that were sealed',
  });
  await expect(seal(projection(), histories(), ref)).rejects.toMatchObject({ code: 'SEAL_REFUSED' });
  const due = { endedForMs: 0, limit: 10, progress: () => undefined };
  const message = expect.stringMatching(/^acme\/sealed: session sealed is not sealed/) as string;
  expect(await sealDue(projection(), histories(), due)).toEqual({ sealed: 6, diverged: [message], unsealed: [] });
  expect(await sealDue(projection(), histories(), due)).toEqual({ sealed: 0, diverged: [message], unsealed: [] });
}, 180_000);

test('a value that escapes every budget reaches Postgres, not Temporal, and its log can be rebuilt', async () => {
  expect(keptOut).toEqual([]);
  const { ref, commit } = story('oversized');
  await startSessionRow(projection().database, { ...ref, header: {}, options: {} });
  const script: Act[] = [
    { do: 'activity', name: 'openLog', input: { ...key('oversized'), intent: 'open' } },
    // More than Temporal takes in one payload.
    commit(seeds('large '.repeat(500_000))),
    commit([], { status: 'closed' }),
  ];
  const workflowId = sessionWorkflowId(ref.session);
  await client.workflow.execute('scripted', { workflowId, taskQueue: QUEUE, args: [script] });

  // Once what the client sent, once what the workflow handed to its activity.
  expect(keptOut.map(({ workflow, bytes }) => [workflow, bytes > 3e6])).toEqual([
    [workflowId, true],
    [workflowId, true],
  ]);
  const history = await fetchRun(client.workflow, { workflowId });
  expect(Math.max(...(history?.events ?? []).map((event) => JSON.stringify(event).length))).toBeLessThan(20_000);
  const { rows: stored } = await sql<object>`select tenant, session_id from payloads`.execute(projection().database);
  const owner = { tenant: ref.tenant, session_id: ref.session };
  expect(stored).toEqual([owner, owner]);

  const before = await storedLog('oversized');
  await sql`delete from session_events where session_id = ${ref.session}`.execute(projection().database);
  await rebuild(projection(), histories(), ref);
  expect(await storedLog('oversized')).toEqual(before);
  expect((await verify(projection(), histories(), ref)).sound).toBe(true);
});
