import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { SHELL_DEFAULTS, type CallId, type HostId, type JobId } from '@everturn/core/domain';
import { consumeOutput, listJobs, listPages, markStopping, takeNotice } from '@everturn/core/postgres';
import { waitFor } from '@everturn/core/testing';
import { bodies } from '@everturn/tools/activity';
import { findTool } from '@everturn/tools/catalog';
import type { RunJobInput, RunToolInput } from '../../contract/index.ts';
import type { RegisteredTool } from '../../plugins/index.ts';
import { settle } from '../../projection/index.ts';
import { voidUnbegunJobs } from '../../projection/void-unbegun-jobs.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { runToolActivity } from '../run-tool.ts';
import { model, projection } from '../testing/servers.ts';
import { attempt, testProcess } from '../testing/test-process.ts';
import { insideStep } from '../testing/test-turn.ts';
import { jobRowActivities } from './job-rows.ts';
import { killJobActivity } from './kill-job.ts';
import { runJobActivity } from './run-job.ts';

const host = { id: 'machine' as HostId, epoch: 1 };
const process = (): Promise<ActivityDeps> => {
  const { execute, startJob } = bodies.get('bash')!;
  const tool = { definition: findTool('bash')!, execute, startJob } as RegisteredTool;
  return testProcess({ projection, model, tools: [tool] });
};

async function callOf(deps: ActivityDeps, args: object, index = 0): Promise<RunToolInput> {
  const { ref } = await insideStep(deps);
  return again(ref, args, index);
}
const again = (
  ref: Pick<RunToolInput, 'tenant' | 'session' | 'generation'>,
  args: object,
  index: number,
): RunToolInput => ({
  ...ref,
  turn: 1,
  step: 1,
  call: {
    index,
    callId: `c${index}` as CallId,
    name: 'bash',
    arguments: JSON.stringify({ description: 'test', run_in_background: true, ...args }),
    concurrency: 'exclusive',
    background: true,
  },
  effect: 'idempotent',
  spill: 'now',
  commit: { events: [], highestAcknowledged: -1 },
});

const call = (deps: ActivityDeps, input: RunToolInput) => attempt(runToolActivity(deps), input).result;
const textOf = ({ outcome }: Awaited<ReturnType<typeof call>>) =>
  Array.isArray(outcome.content)
    ? outcome.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    : '';

/** A job that has been given out, as its workflow would run it. */
async function given(deps: ActivityDeps, command: string): Promise<RunJobInput & { job: { id: JobId } }> {
  const input = await callOf(deps, { command });
  const { outcome } = await call(deps, input);
  if (!outcome.job) throw new Error('no job was given');
  const { tenant, session, generation, turn, step, call: asked } = input;
  return { tenant, session, generation, turn, step, call: asked, job: outcome.job, hostEpoch: host.epoch };
}
const keyOf = ({ tenant, session, job }: RunJobInput) => ({ tenant, session, job: job.id });

describe('a call that asks for a job', () => {
  test('is given one, the same when it is asked for again, and starts nothing', async () => {
    const deps = await process();
    const input = await callOf(deps, { command: 'touch /nowhere/at/all' });
    const result = await call(deps, input);
    expect(textOf(result)).toBe('started background job bash-1');
    expect(result.outcome.job).toEqual({ id: 'bash-1', kind: 'bash', label: 'touch /nowhere/at/all' });
    await sql`delete from claims where session_id = ${input.session}`.execute(deps.database);
    expect((await call(deps, input)).outcome.job?.id).toBe('bash-1');
    expect(await listJobs(deps.database, input)).toHaveLength(1);
  });

  test.each([
    ['a blank command', { command: ' ' }, 'Error: invalid command: expected a non-empty string'],
    ['a bad time', { command: 'true', timeoutMs: -1 }, 'Error: invalid timeoutMs: expected a positive number, got -1'],
  ])('with %s gets an error and no id', async (_what, args, message) => {
    const deps = await process();
    const input = await callOf(deps, args);
    expect(textOf(await call(deps, input))).toBe(message);
    expect(await listJobs(deps.database, input)).toEqual([]);
  });

  test('is refused where the deployment runs none', async () => {
    const deps = await process();
    const shell = { ...deps.settings.shell, enableRunInBackground: false };
    const input = await callOf(deps, { command: 'true' });
    expect(textOf(await call({ ...deps, settings: { ...deps.settings, shell } }, input))).toBe(
      'Error: run_in_background is disabled for this deployment (enableRunInBackground: false)',
    );
  });

  test('the eleventh at a time is refused; told to end counts, ended does not, nor what came to nothing', async () => {
    const deps = await process();
    const first = await callOf(deps, { command: 'sleep 1' });
    await call(deps, first);
    for (let index = 1; index < 10; index += 1) await call(deps, again(first, { command: 'sleep 1' }, index));
    await markStopping(deps.database, { ...first, job: 'bash-1' as JobId });
    expect(textOf(await call(deps, again(first, { command: 'true' }, 10)))).toMatch(/limit reached .*\(limit: 10\)/);
    // The call of the second was settled without an outcome: its step never heard of the job.
    await sql`update claims set state = 'unknown' where session_id = ${first.session} and key = 't1.s1.c1'`.execute(
      deps.database,
    );
    expect(textOf(await call(deps, again(first, { command: 'true' }, 11)))).toBe('started background job bash-11');
  });

  test('that is cancelled first is given none', async () => {
    const deps = await process();
    const input = await callOf(deps, { command: 'true' });
    const stopped = attempt(runToolActivity(deps), input);
    stopped.cancel();
    expect((await stopped.result).outcome).toMatchObject({ isError: true });
    expect((await listJobs(deps.database, input)).filter(({ state }) => state === 'running')).toEqual([]);
  });
});

describe('a job', () => {
  test('runs to its end, whatever code it exits with, and what it wrote is read once', async () => {
    const deps = await process();
    const job = await given(deps, `printf 'out\\0🙂'; echo err >&2; exit 3`);
    expect(await attempt(runJobActivity(deps), job).result).toEqual({
      end: { state: 'completed', detail: 'exit code: 3' },
    });
    const rows = jobRowActivities(deps);
    const read = (reader: string) => rows.readJob({ ...job, job: job.job.id, reader });
    const text = 'out\uFFFD🙂\n[stderr]\nerr\n[status: running]';
    expect(await read('one')).toEqual({ kind: 'read', text });
    expect(await read('one')).toEqual({ kind: 'read', text }); // its attempt is repeated: nothing is lost
    expect(await read('two')).toEqual({ kind: 'read', text: '(no new output)\n[status: running]' });
    await rows.finishJob({ ...job, job: job.job.id, end: { state: 'completed', detail: 'exit code: 3' } });
    await rows.finishJob({ ...job, job: job.job.id, end: { state: 'failed' } }); // the first to say it counts
    expect(await read('three')).toEqual({ kind: 'read', text: '(no new output)\n[status: completed, exit code: 3]' });
    expect(await rows.readJob({ ...job, job: 'bash-9' as JobId, reader: 'x' })).toEqual({ kind: 'unknown' });
  });

  test('of a tool in an optional set runs for a session that has the set', async () => {
    const { execute, startJob } = bodies.get('bash')!;
    const definition = { ...findTool('bash')!, toolset: 'shells' };
    const deps = await testProcess({ projection, model, tools: [{ definition, execute, startJob } as RegisteredTool] });
    const job = await given({ ...deps, toolsets: ['shells'] }, 'true');
    const endIn = async (one: ActivityDeps) => (await attempt(runJobActivity(one), job).result).end;
    expect(await endIn({ ...deps, toolsets: ['shells'] })).toEqual({ state: 'completed', detail: 'exit code: 0' });
  });

  test('keeps of its output what its tenant lets it, as a call keeps to the time', async () => {
    const deps = await process();
    const job = await given(deps, 'head -c 3000 /dev/zero | tr "\\0" x');
    await attempt(runJobActivity(deps), { ...job, shell: { ...SHELL_DEFAULTS, maxOutputBytes: 1_000 } }).result;
    const read = await consumeOutput(deps.database, { ...keyOf(job), reader: 'r' });
    expect(read).toMatchObject({ stdout: 'x'.repeat(1_000), dropped: { files: expect.anything() } });

    const asked = await callOf(deps, { command: 'sleep 600', run_in_background: false });
    const { background: _, ...waited } = asked.call;
    const shell = { ...SHELL_DEFAULTS, timeoutMs: 100 };
    expect(textOf(await call(deps, { ...asked, call: waited, effect: 'at-most-once', shell }))).toBe(
      '(no output)\n[timed out after 100ms]\n[killed by signal: SIGTERM]',
    );
  });

  test('that ends itself by a signal is killed', async () => {
    const deps = await process();
    const job = await given(deps, 'kill -TERM $$');
    expect(await attempt(runJobActivity(deps), job).result).toEqual({
      end: { state: 'killed', detail: 'signal: SIGTERM' },
    });
  });

  test('that cannot start is killed, and says why on its second stream', async () => {
    const deps = await process();
    const job = await given(deps, 'true');
    const lost = { ...job, cwd: '/nowhere/at/all' };
    expect(await attempt(runJobActivity(deps), lost).result).toEqual({
      end: { state: 'killed', detail: 'killed before exit' },
    });
    const read = await consumeOutput(deps.database, { ...keyOf(job), reader: 'r' });
    expect(read).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^Error: cannot start "bash": working directory/),
    });
  });

  test('is told to end through the control queue', async () => {
    const deps = await process();
    const job = await given(deps, 'echo begun; sleep 600');
    const running = attempt(runJobActivity(deps), job);
    const begun = async () => (await listPages(deps.database, { ...keyOf(job), after: 0, limit: 1 })).length > 0;
    await waitFor(begun, { what: 'output' });
    const kill = { ...job, job: job.job.id };
    expect(await killJobActivity(deps)(kill)).toBe('told');
    expect(await running.result).toEqual({ end: { state: 'killed', detail: 'signal: SIGTERM' } });
    expect(await killJobActivity(deps)(kill)).toBe('absent');
  });

  test('whose claim was settled before it began does not begin', async () => {
    const deps = await process();
    const job = await given(deps, 'touch /tmp/everturn-must-not-exist');
    await settle(deps.projection, { ...job, claims: [`job:${job.job.id}`], live: 'wait' });
    expect(await attempt(runJobActivity(deps), job).result).toEqual({
      end: { state: 'failed', detail: 'not started' },
    });
  });

  test('goes on when recovery raises the generation, and is no claim of a dead turn', async () => {
    const deps = await process();
    const job = await given(deps, 'echo begun; sleep 600');
    const running = attempt(runJobActivity(deps), job);
    const begun = async () => (await listPages(deps.database, { ...keyOf(job), after: 0, limit: 1 })).length > 0;
    await waitFor(begun, { what: 'output' });
    await sql`update log_heads set generation = generation + 1 where session_id = ${job.session}`.execute(
      deps.database,
    );
    expect(await voidUnbegunJobs(deps.projection, { ...job, turn: 1 })).toEqual(new Set());
    await killJobActivity(deps)({ ...job, job: job.job.id });
    expect((await running.result).end.state).toBe('killed');
  });

  test('of a dead turn that nobody has begun is shut, also when asked twice', async () => {
    const deps = await process();
    const job = await given(deps, 'true');
    expect(await voidUnbegunJobs(deps.projection, { ...job, turn: 1 })).toEqual(new Set([job.job.id]));
    expect(await voidUnbegunJobs(deps.projection, { ...job, turn: 1 })).toEqual(new Set([job.job.id]));
    expect(await listJobs(deps.database, job)).toMatchObject([{ state: 'failed', detail: 'not started' }]);
    expect(await attempt(runJobActivity(deps), job).result).toEqual({
      end: { state: 'failed', detail: 'not started' },
    });
  });

  test('that writes much keeps its newest output, and who was left behind is told', async () => {
    const deps = await process();
    const jobs = { ...deps.settings.jobs, keptOutputBytes: 1_000 };
    const small = { ...deps, settings: { ...deps.settings, jobs } };
    const job = await given(small, 'for i in 1 2 3; do head -c 900 /dev/zero | tr "\\0" $i; sleep 0.6; done');
    await attempt(runJobActivity(small), job).result;
    const read = await consumeOutput(deps.database, { ...keyOf(job), reader: 'r' });
    expect(read?.stdout).toMatch(/^3+$/);
    expect(read?.dropped).toEqual({ files: [] });
  });
});

test('the right to tell of an end is given once, and not to who knows it', async () => {
  const deps = await process();
  const job = await given(deps, 'true');
  const rows = jobRowActivities(deps);
  const notices = () => rows.takeNotices({ ...job, jobs: [job.job.id] });
  expect((await notices()).notices).toEqual([]); // it has not ended
  await rows.finishJob({ ...job, job: job.job.id, end: { state: 'completed', detail: 'exit code: 0' } });
  const first = await notices();
  expect(first).toMatchObject({ notices: [{ entry: { kind: 'injection' } }], delivery: 'wakeup', maxWakes: 3 });
  expect(await notices()).toEqual(first); // a repeated attempt
  const other = await given(deps, 'true');
  await rows.finishJob({ ...other, job: other.job.id, end: { state: 'completed' } });
  await rows.readJob({ ...other, job: other.job.id, reader: 'r' });
  expect((await rows.takeNotices({ ...other, jobs: [other.job.id] })).notices).toEqual([]);
  const stopped = await given(deps, 'true');
  expect(await rows.stopJob({ ...stopped, job: stopped.job.id })).toMatchObject({ job: { state: 'stopping' } });
  await rows.finishJob({ ...stopped, job: stopped.job.id, end: { state: 'killed' } });
  const entry = takeNotice(deps.database, { ...keyOf(stopped), notice: () => ({ id: 'n', entry: '{}' }) });
  expect(await entry).toBeUndefined();
});
