import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionEvent } from '@everturn/core/domain';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const inBackground = (command: string) => {
  const call = bash(command);
  return { ...call, arguments: { ...call.arguments, run_in_background: true } };
};
const output = (job: string, more: object = {}) => ({ name: 'job_output', arguments: { job_id: job, ...more } });
const kill = (job: string) => ({ name: 'job_kill', arguments: { job_id: job } });

type Calls = NonNullable<ScriptAnswer['toolCalls']>;

/** A model that answers each user message with the calls given for it, and then says `done`. */
const answering =
  (calls: Record<string, Calls>) =>
  (request: RequestView): ScriptAnswer => {
    const toolCalls = Object.entries(calls).find(([start]) => request.lastUser.startsWith(start))?.[1];
    return toolCalls && request.steps.length === 0 ? { toolCalls } : { text: 'done' };
  };

async function sessionWith(name: string, calls: Record<string, Calls>): Promise<string> {
  return stack.api.create(scripted(stack, name, answering(calls)));
}

interface JobRow {
  id: string;
  state: string;
  detail?: string;
}
const jobsOf = async (session: string) =>
  (await stack.api.call<{ jobs: JobRow[] }>('GET', `/v1/sessions/${session}/jobs`)).body.jobs;
const jobIs = (session: string, job: string, state: string) =>
  waitFor(async () => (await jobsOf(session)).find(({ id, state: now }) => id === job && now === state), {
    what: `${job} to be ${state}`,
    timeoutMs: 60_000,
  });
const notices = (events: readonly SessionEvent[]) =>
  events.flatMap(({ type, data }) =>
    (type === 'user/message' || type === 'context/message') &&
    data.source.kind === 'plugin' &&
    data.source.plugin === 'tool-jobs'
      ? data.content.map((block) => `${type}: ${block.type === 'text' ? block.text : block.type}`)
      : [],
  );
/** The texts of the last turn's results, in order. */
function lastResults(events: readonly SessionEvent[]): string[] {
  const start = events.findLastIndex(({ type }) => type === 'turn/start');
  return events
    .slice(start)
    .flatMap((event) => (event.type === 'tool/result' ? [resultText([event], event.data.callId)] : []));
}
const file = (name: string) => join(stack.workspace, name);

test.concurrent('a job outlives its turn and wakes its session, which reads what it wrote once', async () => {
  const session = await sessionWith('outlives', {
    go: [inBackground(`until [ -e ${file('go-on')} ]; do sleep 0.1; done; echo out; echo err >&2; exit 3`)],
    'background job': [output('bash-1'), output('bash-1', { wait: true, timeout_ms: 600_000 })],
  });
  await stack.api.prompt(session, 'go');
  expect(resultText(await stack.api.turnEnded(session), 'call_1_1')).toBe('started background job bash-1');
  expect(await jobsOf(session)).toMatchObject([{ id: 'bash-1', kind: 'bash', state: 'running', turn: 1, step: 1 }]);
  writeFileSync(file('go-on'), '');
  const events = await stack.api.turnEnded(session, 2);
  expect(notices(events)).toEqual([
    expect.stringMatching(
      /^user\/message: background job bash-1 \(bash: until .*\) finished \[status: completed, exit code: 3\]\. Read its output with job_output\.$/,
    ),
  ]);
  const results = events.filter((event) => event.type === 'tool/result').slice(1);
  expect(results.map(({ data }) => data.content)).toEqual([
    [{ type: 'text', text: 'out\n[stderr]\nerr\n[status: completed, exit code: 3]' }],
    [{ type: 'text', text: '(no new output)\n[status: completed, exit code: 3]' }], // there is nothing to wait for
  ]);
  const pages = async (query: string) =>
    (await stack.api.call('GET', `/v1/sessions/${session}/jobs/bash-1/output${query}`)).body;
  const [out, err] = [
    { page: 1, stream: 'stdout', text: 'out\n' },
    { page: 2, stream: 'stderr', text: 'err\n' },
  ];
  expect(await pages('')).toMatchObject({ pages: [out, err], next: null });
  expect(await pages('?limit=1')).toMatchObject({ pages: [out], next: 1 });
  expect(await pages('?limit=1&after=1')).toMatchObject({ pages: [err], next: 2 });
  expect(await pages('?after=2')).toEqual({ pages: [], next: null });
  for (const query of ['?limit=0', '?limit=201', '?after=-1'])
    expect(await pages(query)).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/limit|after/),
    });
  await expectSound(stack, session);
});

describe('waiting for a job', () => {
  test.concurrent('costs no activity, is answered by its end, and then nobody is told', async () => {
    const session = await sessionWith('waits', {
      go: [inBackground(`until [ -e ${file('end-wait')} ]; do sleep 0.1; done; echo over`)],
      wait: [output('bash-1', { wait: true, timeout_ms: 60_000 })],
    });
    await stack.api.prompt(session, 'go');
    await stack.api.turnEnded(session);
    await stack.api.prompt(session, 'wait');
    const step = stack.client.workflow.getHandle(`session:${session}/turn:2/step:1`);
    await stack.api.until(
      session,
      'the call',
      (events) => events.filter(({ type }) => type === 'tool/call').length === 2,
    );
    const job = stack.client.workflow.getHandle(`session:${session}/job:bash-1`);
    await waitFor(async () => (await job.fetchHistory()).events?.some(isSignal('watch')), {
      what: 'the wait to begin',
    });
    expect((await step.describe()).raw.pendingActivities ?? []).toEqual([]);
    writeFileSync(file('end-wait'), '');
    const events = await stack.api.turnEnded(session, 2);
    expect(lastResults(events)[0]).toBe('over\n[status: completed, exit code: 0]');
    await job.result();
    expect(notices(await stack.api.events(session))).toEqual([]);
    await expectSound(stack, session);
  });

  test.concurrent('ends when its time is over or its turn is cancelled, and the end of the job is told after all', async () => {
    const session = await sessionWith('gives-up', {
      go: [inBackground(`echo first; until [ -e ${file('end-late')} ]; do sleep 0.1; done`)],
      short: [output('bash-1', { wait: true, timeout_ms: 50 })],
      long: [output('bash-1', { wait: true })],
    });
    await stack.api.prompt(session, 'go');
    await stack.api.turnEnded(session);
    await waitFor(
      async () => (await stack.api.call('GET', `/v1/sessions/${session}/jobs/bash-1/output`)).body['pages'],
      {
        what: 'output',
      },
    );
    await stack.api.prompt(session, 'short');
    expect(lastResults(await stack.api.turnEnded(session, 2))[0]).toMatch(/\[status: running\]$/);
    await stack.api.prompt(session, 'long');
    const job = stack.client.workflow.getHandle(`session:${session}/job:bash-1`);
    const watches = async () => (await job.fetchHistory()).events?.filter(isSignal('watch')).length === 2;
    await waitFor(watches, { what: 'the second wait to begin' });
    await stack.api.call('POST', `/v1/sessions/${session}/cancel`);
    const events = await stack.api.turnEnded(session, 3);
    expect(lastResults(events)[0]).toBe('Error: wait aborted');
    expect(logLines(events).at(-1)).toBe('turn/end aborted');
    writeFileSync(file('end-late'), '');
    expect(notices(await stack.api.turnEnded(session, 4))).toHaveLength(1);
    await expectSound(stack, session);
  });
});

const isSignal =
  (name: string) => (event: { workflowExecutionSignaledEventAttributes?: { signalName?: string | null } | null }) =>
    event.workflowExecutionSignaledEventAttributes?.signalName === name;

test.concurrent('killed by its model or by a client, a job ends with all it started and nobody is told', async () => {
  const stubborn = `trap '' TERM; (trap '' TERM; while :; do date +%s%N > ${file('stubborn')}; sleep 0.1; done) & wait`;
  const session = await sessionWith('killed', {
    go: [inBackground(stubborn), inBackground('sleep 600')],
    kill: [kill('bash-1')],
    again: [kill('bash-1'), kill('bash-9'), { name: 'job_list', arguments: {} }],
  });
  await stack.api.prompt(session, 'go');
  await stack.api.turnEnded(session);
  await waitFor(() => existsSync(file('stubborn')), { what: 'the job to run' });
  await stack.api.prompt(session, 'kill');
  expect(lastResults(await stack.api.turnEnded(session, 2))[0]).toBe('requested cancellation of job bash-1');
  await jobIs(session, 'bash-1', 'killed');
  const still = readFileSync(file('stubborn'), 'utf8');
  const answer = await stack.api.call('POST', `/v1/sessions/${session}/jobs/bash-2/kill`);
  expect([answer.status, answer.body]).toEqual([202, expect.objectContaining({ id: 'bash-2', state: 'stopping' })]);
  expect(await jobIs(session, 'bash-2', 'killed')).toMatchObject({ detail: 'signal: SIGTERM' });
  expect(readFileSync(file('stubborn'), 'utf8')).toBe(still); // half a second and more later
  await stack.api.prompt(session, 'again');
  expect(lastResults(await stack.api.turnEnded(session, 3))).toEqual([
    'job bash-1 had already finished [status: killed, signal: SIGKILL]',
    'Error: unknown job bash-9',
    `bash-1 [bash] killed — ${stubborn}\nbash-2 [bash] killed — sleep 600`,
  ]);
  expect(notices(await stack.api.events(session))).toEqual([]);
  expect((await stack.api.call('POST', `/v1/sessions/${session}/jobs/bash-3/kill`)).body).toMatchObject({
    code: 'JOB_NOT_FOUND',
  });
  await expectSound(stack, session);
});

test.concurrent('at most ten run at a time; three ends in a row begin turns, and again three once a person wrote', async () => {
  const waiting = (n: number) => inBackground(`until [ -e ${file(`ten-${n}`)} ]; do sleep 0.1; done`);
  const session = await sessionWith('ten', {
    go: [...Array.from({ length: 10 }, (_, n) => waiting(n + 1)), inBackground('touch never')],
  });
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_10')).toBe('started background job bash-10');
  expect(resultText(events, 'call_1_11')).toMatch(
    /^Error: background job limit reached for this owner \(limit: 10\); use job_kill/,
  );
  expect(await jobsOf(session)).toHaveLength(10);
  for (let number = 1; number <= 4; number += 1) {
    await stack.api.call('POST', `/v1/sessions/${session}/jobs/bash-${number}/kill`);
    await jobIs(session, `bash-${number}`, 'killed');
  }
  const rests = () => stack.api.call('GET', `/v1/sessions/${session}?whenIdle=30`);
  const ends = async (number: number) => {
    await rests();
    writeFileSync(file(`ten-${number}`), '');
    await stack.api.until(session, 'its notice', (all) => notices(all).length === number - 4);
    await rests();
  };
  for (const number of [5, 6, 7, 8]) await ends(number);
  await stack.api.prompt(session, 'well done');
  for (const number of [9, 10]) await ends(number);
  const told = notices(await stack.api.events(session)).map((line) => line.split(' finished')[0]);
  const turns = new Set([5, 6, 7, 9, 10]);
  expect(told).toEqual(
    [5, 6, 7, 8, 9, 10].map((n) =>
      expect.stringContaining(`${turns.has(n) ? 'user' : 'context'}/message: background job bash-${n} `),
    ),
  );
  expect(existsSync(file('never'))).toBe(false);
  await expectSound(stack, session);
});

test.concurrent('a session that closes ends its jobs first, and takes no notice of their ends', async () => {
  const beat = file('closing');
  const session = await sessionWith('closes', {
    go: [inBackground(`trap '' TERM; while :; do date +%s%N > ${beat}; sleep 0.1; done`), inBackground('sleep 600')],
  });
  await stack.api.prompt(session, 'go');
  await stack.api.turnEnded(session);
  await waitFor(() => existsSync(beat), { what: 'the job to run' });
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await stack.client.workflow.getHandle(`session:${session}`).result();
  expect((await jobsOf(session)).map(({ state, detail }) => `${state}: ${detail}`)).toEqual([
    'killed: owner disposed',
    'killed: owner disposed',
  ]);
  const still = readFileSync(beat, 'utf8');
  for (const job of ['bash-1', 'bash-2'])
    expect((await stack.client.workflow.getHandle(`session:${session}/job:${job}`).describe()).status.name).toBe(
      'COMPLETED',
    );
  expect(readFileSync(beat, 'utf8')).toBe(still);
  expect(notices(await stack.api.events(session))).toEqual([]);
  await expectSound(stack, session);
});

test('the API and the worker are killed while jobs run: the first changes nothing, the second is told honestly', async () => {
  const beat = file('lost');
  const session = await sessionWith('lost', {
    go: [inBackground(`echo begun; while :; do date +%s%N > ${beat}; sleep 0.1; done`)],
    'background job': [output('bash-1')],
  });
  await stack.api.prompt(session, 'go');
  await stack.api.turnEnded(session);
  await waitFor(() => existsSync(beat), { what: 'the job to run' });
  await stack.apiProcess().kill9();
  await stack.startApi();
  const before = readFileSync(beat, 'utf8');
  await waitFor(() => readFileSync(beat, 'utf8') !== before, { what: 'the job to go on' });
  await waitFor(
    async () => {
      const { body } = await stack.api.call<{ pages: unknown[] }>('GET', `/v1/sessions/${session}/jobs/bash-1/output`);
      return body.pages.length > 0;
    },
    { what: 'its output to be stored' },
  );
  await stack.worker().kill9();
  await stack.startWorker();
  const events = await stack.api.turnEnded(session, 2);
  const lost = '[status: failed, outcome unknown: its worker was lost]';
  expect(notices(events)).toEqual([expect.stringContaining(`finished ${lost}`)]);
  expect(lastResults(events)[0]).toBe(`begun\n${lost}`);
  const unknown = await stack.api.call('GET', `/v1/sessions/${session}/effects?state=unknown`);
  expect(unknown.body).toMatchObject({ effects: [{ key: 'job:bash-1', label: 'bash' }] });
  const still = readFileSync(beat, 'utf8');
  await expectSound(stack, session);
  expect(readFileSync(beat, 'utf8')).toBe(still);
});
