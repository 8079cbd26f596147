import { expect, test } from 'vitest';
import { FIRST_MESSAGE, SessionId, type JsonObject, type RequestId } from '@everturn/core/domain';
import { listJobs, readSession, startSessionRow } from '@everturn/core/postgres';
import { findTool } from '@everturn/tools/catalog';
import { DelegationRow } from '@everturn/tools/kit';
import { sql } from 'kysely';
import type { PrepareChildInput, SessionRef } from '../../contract/index.ts';
import type { SubagentCapability } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { model, projection } from '../testing/servers.ts';
import { apiOf, attempt, testProcess } from '../testing/test-process.ts';
import { insideStep } from '../testing/test-turn.ts';
import { endAgentJob, prepareAgentJob } from './agent-job.ts';
import { childActivities } from './child-activities.ts';
import type { Handed } from './courier.ts';
import { lostChildren } from './lost-children.ts';
import { prepareRound } from '../ralph/prepare-round.ts';
import { prepareChild } from './prepare-child.ts';
import { sendMessage } from './send-message.ts';

const NOTHING = { events: [], highestAcknowledged: -1 };
const spawn = DelegationRow.parse({ provider: 'spawn', toolName: 'subagent' });

async function begin(): Promise<{ deps: ActivityDeps; ref: SessionRef }> {
  // A session can ask for a set only where something is in it.
  const deps = await testProcess({ projection, model, tools: [{ definition: findTool('list_agents')! }] });
  return { deps, ref: (await insideStep(deps)).ref };
}
const childOf = (ref: SessionRef, more: Partial<PrepareChildInput> = {}): PrepareChildInput => ({
  ...ref,
  child: SessionId.parse(`sub-${crypto.randomUUID()}`),
  mode: 'one-shot',
  row: spawn,
  label: 'Look',
  prompt: 'look at it',
  config: { provider: 'scripted', model: 'test' },
  ...more,
});
const codeOf = async (deps: ActivityDeps, input: PrepareChildInput) => {
  const answer = await prepareChild(deps, input);
  const row = await readSession(deps.database, { tenant: input.tenant, session: input.child });
  return [answer.kind === 'refused' ? answer.code : answer.kind, row?.parent];
};

test('a child is a row and its first prompt, however often it is prepared', async () => {
  const { deps, ref } = await begin();
  const input = childOf(ref);
  expect(await codeOf(deps, input)).toEqual(['prepared', ref.session]);
  expect(await codeOf(deps, input)).toEqual(['prepared', ref.session]);
  const { rows } = await sql`select prompt_id from prompts where session_id = ${input.child}`.execute(deps.database);
  expect(rows).toEqual([{ prompt_id: FIRST_MESSAGE }]);
});

test('a fork of a session none of whose turns has ended begins with nothing', async () => {
  const { deps, ref } = await begin();
  const input = childOf(ref, { row: DelegationRow.parse({ provider: 'fork', toolName: 'subagent_fork' }) });
  expect((await codeOf(deps, input))[0]).toBe('prepared');
  const row = await readSession(deps.database, { tenant: ref.tenant, session: input.child });
  expect(row?.header).not.toHaveProperty('seedLength');
});

test('refused before anything starts, each with its code', async () => {
  const { deps, ref } = await begin();
  const limited = { name: 'limited', context: 'fresh', capabilities: new Set<SubagentCapability>() } as const;
  const leave = apiOf(deps).subagentProvider(limited);
  expect(() => apiOf(deps).subagentProvider(limited)).toThrow('registered already');
  const row = DelegationRow.parse({
    ...spawn,
    provider: 'limited',
    persona: 'p',
    toolFilter: { deny: [] },
    agentOptions: {},
  });
  const outputSchema: JsonObject = { type: 'object' };
  const asked = childOf(ref, { row, mode: 'continuable', outputSchema });
  const refused = await prepareChild(deps, asked);
  expect(refused).toEqual({
    kind: 'refused',
    code: 'UNSUPPORTED_CAPABILITY',
    message:
      'the provider "limited" does not support outputSchema, depthLimit, toolFilter, persona, agentOptions, continuable',
  });
  const plain = DelegationRow.parse({ provider: 'limited', toolName: 'subagent', maxDepth: 'provider-managed' });
  expect((await codeOf(deps, childOf(ref, { row: plain })))[0]).toBe('prepared');
  leave();
  expect(await codeOf(deps, childOf(ref, { row: plain }))).toEqual(['UNSUPPORTED_CAPABILITY', undefined]);
  const none = DelegationRow.parse({ ...spawn, maxDepth: 0 });
  expect(await codeOf(deps, childOf(ref, { row: none }))).toEqual(['DELEGATION_DEPTH', undefined]);
  const unknown = DelegationRow.parse({ ...spawn, toolFilter: { allow: ['no_such_tool'] } });
  expect(await codeOf(deps, childOf(ref, { row: unknown }))).toEqual(['UNKNOWN_TOOLS', undefined]);
  const wish = { provider: 'scripted', model: 'other' };
  expect(await codeOf(deps, childOf(ref, { wish }))).toEqual(['MODEL_NOT_ALLOWED', undefined]);
});

test('rounds of a loop begin with nothing: whoever makes agents that know their parent makes none for it', async () => {
  const { deps, ref } = await begin();
  const { child, config } = childOf(ref);
  const row = DelegationRow.parse({ provider: 'fork', toolName: 'ralph' });
  const request = { objective: 'o', maxRounds: 2, row, maxHandoffChars: 100, maxResultChars: 100 };
  expect(await prepareRound(deps, { ...ref, child, config, request, round: 1, commit: NOTHING })).toMatchObject({
    kind: 'refused',
    code: 'UNSUPPORTED_CAPABILITY',
  });
  expect(await readSession(deps.database, { tenant: ref.tenant, session: child })).toBeUndefined();
});

test("an id that is another's is a duplicate, and a session that has closed starts nobody", async () => {
  const { deps, ref } = await begin();
  const taken = childOf(ref);
  await startSessionRow(deps.database, { tenant: ref.tenant, session: taken.child, header: {}, options: {} });
  expect(await codeOf(deps, taken)).toEqual(['DUPLICATE_CHILD', undefined]);
  await sql`update sessions set status = 'closed' where id = ${ref.session}`.execute(deps.database);
  expect(await codeOf(deps, childOf(ref))).toEqual(['DRAINING', undefined]);
});

test('a message that was not taken says why, and is not kept', async () => {
  const { deps, ref } = await begin();
  const stays = childOf(ref, { mode: 'continuable' });
  await prepareChild(deps, stays);
  const send = (from: SessionRef, agent: string, answer: Handed, owner?: SessionId) =>
    sendMessage(
      deps,
      { submit: async () => answer, endedFromOutside: async () => undefined },
      { ...from, agent, message: 'm', requestId: `msg-${agent}` as RequestId, ...(owner && { owner }) },
    );
  const closing: Handed = { kind: 'refused', code: 'SESSION_CLOSED', message: 'the session is closing' };
  const below = { ...ref, session: stays.child };
  const answers = [
    await send(ref, stays.child, { kind: 'taken' }),
    await send(ref, stays.child, { kind: 'gone' }),
    await send(ref, stays.child, closing),
    await send(below, ref.session, closing, ref.session),
    await send(below, ref.session, { kind: 'gone' }, ref.session),
    await send(below, ref.session, { kind: 'taken' }),
    await send(ref, 'no such agent', { kind: 'taken' }),
  ];
  expect(answers.map((answer) => (answer.kind === 'refused' ? answer.code : answer.kind))).toEqual([
    'taken',
    'inactive',
    'ACTIVATION_CLOSING',
    'DRAINING',
    'PARENT_UNAVAILABLE',
    'UNAUTHORIZED',
    'UNAUTHORIZED',
  ]);
  const { rows } = await sql<{ state: string }>`
    select state from prompts where session_id = ${ref.session} and prompt_id like 'msg-%'`.execute(deps.database);
  expect(rows).toEqual([{ state: 'discarded' }]);
});

test('an agent in the background is a job while there is room for one; its end is kept once', async () => {
  const { deps, ref } = await begin();
  deps.settings = { ...deps.settings, jobs: { ...deps.settings.jobs, maxActive: 1 } };
  const place = (index: number) => ({ ...childOf(ref), turn: 1, step: 1, call: { index } });
  const first = place(0);
  const prepared = await prepareAgentJob(deps, first);
  expect(prepared).toMatchObject({ kind: 'prepared', job: { id: 'subagent-1', kind: 'subagent', label: 'Look' } });
  expect(await prepareAgentJob(deps, first)).toEqual(prepared);
  const second = place(1);
  expect(await prepareAgentJob(deps, second)).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('limit: 1'),
  });
  expect(await readSession(deps.database, { tenant: ref.tenant, session: second.child })).toBeUndefined();
  if (prepared.kind !== 'prepared') throw new Error(prepared.message);
  const end = { ...ref, turn: 1, step: 1, call: { index: 0, name: 'subagent' }, job: prepared.job, child: first.child };
  const ended = { end: { state: 'failed', detail: 'subagent run failed' }, stop: 'error' };
  for (let again = 0; again < 2; again += 1) {
    const { result } = attempt(
      (input: typeof end & { cancelled: boolean; failure: string }) => endAgentJob(deps, input),
      {
        ...end,
        cancelled: false,
        failure: 'the line is dead',
      },
    );
    expect(await result).toEqual(ended);
  }
  const { rows } = await sql<{ text: string }>`select text from job_pages where session_id = ${ref.session}`.execute(
    deps.database,
  );
  expect(rows).toEqual([{ text: 'subagent run failed\nDiagnostic: the line is dead' }]);
  expect(await listJobs(deps.database, ref)).toHaveLength(1);
});

test('an agent that was ended from outside is told of as one that failed; those that run are not', async () => {
  const { deps, ref } = await begin();
  const [gone, runs] = [childOf(ref, { mode: 'continuable' }), childOf(ref, { mode: 'continuable' })];
  for (const child of [gone, runs]) await prepareChild(deps, child);
  const courier = {
    submit: async () => ({ kind: 'gone' as const }),
    endedFromOutside: async (session: SessionId) =>
      session === gone.child ? { runId: 'r', status: 'TERMINATED' } : undefined,
  };
  const { lost } = await lostChildren(deps, courier, { ...ref, children: [gone.child, runs.child] });
  expect(lost).toMatchObject([{ child: gone.child, notice: { requestId: `lost.${gone.child}.r`, kind: 'prompt' } }]);
  expect(lost[0]?.notice.content).toEqual([
    {
      type: 'text',
      text: `subagent ${gone.child} failed.\nDiagnostic: its workflow was ended from outside (TERMINATED)\nIt left no closing message.`,
    },
  ]);
});

test('an agent that worked for an earlier life of its owner, or for itself, and has rested a while says nothing more', async () => {
  const { deps, ref } = await begin();
  const agents = Array.from({ length: 4 }, () => childOf(ref, { mode: 'continuable' }));
  for (const child of agents) await prepareChild(deps, child);
  const [rests, works, waits, justNow] = agents.map(({ child }) => child) as [
    SessionId,
    SessionId,
    SessionId,
    SessionId,
  ];
  const below = childOf({ ...ref, session: waits }, { mode: 'continuable' });
  await prepareChild(deps, below);
  const show = (id: SessionId, status: 'idle' | 'running', ago: string) =>
    sql`update sessions set status = ${status}, updated_at = now() - ${ago}::interval where id = ${id}`.execute(
      deps.database,
    );
  await show(rests, 'idle', '2 minutes');
  await show(works, 'running', '2 minutes');
  await show(waits, 'idle', '2 minutes');
  await show(below.child, 'running', '2 minutes');
  await show(justNow, 'idle', '5 seconds');
  const courier = { submit: async () => ({ kind: 'gone' as const }), endedFromOutside: async () => undefined };
  const children = [rests, works, waits, justNow];
  expect(await lostChildren(deps, courier, { ...ref, children })).toEqual({ lost: [] });
  expect(await lostChildren(deps, courier, { ...ref, children, earlier: children })).toEqual({
    lost: [],
    rested: [rests],
  });
});

test('what an agent says to an owner that does not run is kept for its next life, unless it has closed', async () => {
  const { deps, ref } = await begin();
  const courier = { submit: async () => ({ kind: 'gone' as const }), endedFromOutside: async () => undefined };
  const { acceptNotices } = childActivities(deps, courier);
  const keep = (requestId: string, absent?: true) => {
    const source = { kind: 'subagent-settled', form: 'notice', summary: 's', senderSessionId: 'c' } as const;
    const entry = { requestId: requestId as RequestId, kind: 'prompt' as const, content: [], source, preview: 's' };
    return attempt(acceptNotices, { ...ref, entries: [entry], ...(absent && { absent }) }).result;
  };
  await keep('while-away', true);
  await deps.database.updateTable('sessions').set({ status: 'closed' }).where('id', '=', ref.session).execute();
  await keep('too-late', true);
  await keep('as-it-closes');
  const { rows } =
    await sql`select prompt_id from prompts where session_id = ${ref.session} and entry like '%subagent-settled%' order by position`.execute(
      deps.database,
    );
  expect(rows).toEqual([{ prompt_id: 'while-away' }, { prompt_id: 'as-it-closes' }]);
});

test('only whoever an agent works for may interrupt it, however far above; one of one task, or closed, needs no interrupt', async () => {
  const { deps, ref } = await begin();
  const courier = { submit: async () => ({ kind: 'gone' as const }), endedFromOutside: async () => undefined };
  const { mayInterrupt } = childActivities(deps, courier);
  const make = async (above: SessionRef, mode: PrepareChildInput['mode'] = 'continuable') => {
    const input = childOf(above, { mode });
    await prepareChild(deps, input);
    return { ...ref, session: input.child };
  };
  const [child, sibling, once] = [await make(ref), await make(ref), await make(ref, 'one-shot')];
  const below = await make(child);
  const asked = async (by: SessionRef, agent: string) => {
    const answer = await attempt((input: SessionRef & { agent: string }) => mayInterrupt(input), { ...by, agent })
      .result;
    return answer.kind === 'refused' ? answer.code : answer.kind;
  };
  expect([
    await asked(ref, child.session),
    await asked(ref, below.session),
    await asked(ref, once.session),
    await asked(child, child.session),
    await asked(child, sibling.session),
    await asked(child, ref.session),
    await asked(sibling, below.session),
    await asked(ref, 'sub-nobody'),
    await asked(ref, 'no id at all'),
  ]).toEqual(['interrupt', 'interrupt', 'nothing', ...Array.from({ length: 6 }, () => 'UNAUTHORIZED')]);
  await sql`update sessions set status = 'closed' where id = ${child.session}`.execute(deps.database);
  expect(await asked(ref, child.session)).toBe('nothing');
});
