import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionId } from '@everturn/core/domain';
import { parseWorkflowId } from '@everturn/core/protocol';
import { waitFor } from '@everturn/core/testing';
import { openProjection, seal, verify } from '../src/projection/index.ts';
import { expectRebuilt } from './support/expect-rebuilt.ts';
import { expectSound } from './support/expect-sound.ts';
import { logLines } from './support/log-lines.ts';
import { bash, scripted } from './support/model-scripts.ts';
import { plantSeed } from './support/plant-seed.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const projection = () => openProjection({ database: stack.database, owner: 'test' });
const histories = () => ({ client: stack.client.workflow });

/** A prompt whose turn runs a command that will not end by itself; settles while it runs. */
async function busy(session: string): Promise<void> {
  const mark = join(stack.workspace, 'runs');
  rmSync(mark, { force: true });
  await stack.api.prompt(session, 'work');
  await waitFor(() => existsSync(mark), { what: 'bash to run', timeoutMs: 60_000 });
}

/** A session with a seed, a take-over, a recovered turn, a context of its own and a plain turn. */
async function eventfulSession(session: string): Promise<void> {
  const options = scripted(stack, session, (request) =>
    request.lastUser === 'work' && request.steps.length === 0
      ? { text: ['let me ', 'see'], toolCalls: [bash('touch runs; sleep 600', 600_000), bash('echo never')] }
      : { text: 'done' },
  );
  await plantSeed(stack, { session, ...options });
  await busy(session);
  await stack.worker().kill9();
  await stack.startWorker();
  await stack.api.turnEnded(session, 2);
  await busy(session);
  await stack.client.workflow.getHandle(`session:${session}/turn:3`).terminate('test');
  await stack.api.turnEnded(session, 3);
  await stack.api.call('POST', `/v1/sessions/${session}/inject`, { content: 'by the way' });
  await stack.api.turnEnded(session, 4);
  await stack.api.prompt(session, 'and now?');
  await stack.api.turnEnded(session, 5);
  await expectSound(stack, session);
}

test('a log with a seed, a take-over and a recovered turn is rebuilt, equal but for chunks', async () => {
  await eventfulSession('eventful');
  const events = await stack.api.events('eventful');
  expect(logLines(events).filter((line) => line.startsWith('turn/end') || line.startsWith('tool/result'))).toEqual([
    'turn/end completed',
    expect.stringMatching(/^tool\/result \S+ TOOL_OUTCOME_UNKNOWN$/),
    expect.stringMatching(/^tool\/result \S+ ok$/),
    'turn/end completed',
    expect.stringMatching(/^tool\/result \S+ (TOOL_OUTCOME_UNKNOWN|ABORTED)$/),
    expect.stringMatching(/^tool\/result \S+ TOOL_NOT_STARTED$/),
    'turn/end interrupted',
    'turn/end completed',
    'turn/end completed',
  ]);
  await expectRebuilt(stack, projection(), 'eventful');
  const rebuilt = await stack.api.events('eventful');
  expect(rebuilt).toEqual(events.filter(({ type }) => type !== 'assistant/chunk'));
  // A rebuilt session goes on as if nothing had been.
  await stack.api.prompt('eventful', 'still there?');
  expect(logLines(await stack.api.turnEnded('eventful', 6)).at(-1)).toBe('turn/end completed');
});

/** The server deletes in its own time: seconds, as a rule. */
async function deleteHistory(workflowId: string): Promise<void> {
  const execution = { namespace: stack.temporal.namespace, workflowExecution: { workflowId } };
  await stack.client.workflowService.deleteWorkflowExecution(execution);
  const isGone = () =>
    stack.client.workflow
      .getHandle(workflowId)
      .describe()
      .then(
        () => false,
        () => true,
      );
  await waitFor(isGone, { what: `the deletion of ${workflowId}`, timeoutMs: 90_000, everyMs: 200 });
}

test('a sealed turn is verified without its histories, until a row is altered', async () => {
  const session = 'sealed' as SessionId;
  const options = scripted(stack, session, (request) =>
    request.steps.length === 0 ? { toolCalls: [bash('echo ok')] } : { text: 'done' },
  );
  await stack.api.create({ id: session, ...options });
  for (const turn of [1, 2]) {
    await stack.api.prompt(session, `turn ${turn}`);
    await stack.api.turnEnded(session, turn);
  }
  await expectSound(stack, session);
  const key = { tenant: stack.tenant, session };
  expect(await seal(projection(), histories(), { ...key, through: 1 })).toEqual([1]);
  const gone: string[] = [];
  for await (const { workflowId } of stack.client.workflow.list({ query: `EverturnSession = '${session}'` }))
    if (parseWorkflowId(workflowId)?.turn === 1) gone.push(workflowId);
  expect(gone.toSorted()).toEqual(
    [1, undefined, 2].map((step) => `session:sealed/turn:1${step ? `/step:${step}` : ''}`).toSorted(),
  );
  await Promise.all(gone.map(deleteHistory));
  const report = await verify(projection(), histories(), key);
  expect(report).toMatchObject({ sound: true, problems: [], sealed: { turns: 1 }, lost: [] });
  await sql`update session_events set data = replace(data, 'turn 1', 'turn one') where session_id = ${session}`.execute(
    stack.database,
  );
  expect((await verify(projection(), histories(), key)).problems).toContainEqual({
    by: 'seals',
    seq: report.sealed.toSeq,
    message: 'the rows of turn 1 are not those that were sealed',
  });
});
