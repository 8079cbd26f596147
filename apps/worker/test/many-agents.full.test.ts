import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { agentsEnded, agentsOf, mostAtATime, scriptCall, scriptLines } from './support/script-runs.ts';
import { startStack, type Stack } from './support/stack.ts';

const AGENTS = 50;
const AT_A_TIME = 8;

let stack: Stack;
beforeAll(async () => void (stack = await startStack({ worker: { EVERTURN_WORKFLOW_AGENTS: String(AT_A_TIME) } })));
afterAll(() => stack?.stop());

test('fifty agents of one script, its worker killed twice: each worked once, and none is called for again', async () => {
  const marks = join(stack.workspace, 'marks');
  appendFileSync(marks, '');
  const script = `const all = await parallel(Array.from({ length: ${AGENTS} }, (_, n) => () => agent('do part ' + n)));
    return all.map((said) => Number(said.slice(5))).reduce((a, b) => a + b)`;
  const own = callsThenDone(scriptCall(script));
  const options = scripted(stack, 'fifty', (request) => {
    const task = JSON.stringify(request.messages.find(({ role }) => role === 'user')?.content ?? '');
    const part = /do part (\d+)/.exec(task)?.[1];
    if (part === undefined) return own(request);
    const worked = request.messages.some(({ role }) => role === 'assistant');
    return worked ? { text: `part ${part}` } : { toolCalls: [bash(`echo ${part} >> ${marks}`)] };
  });
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'go');
  for (const ended of [12, 30]) {
    await agentsEnded(stack, session, ended);
    await stack.worker().kill9();
    await stack.startWorker({ EVERTURN_WORKFLOW_AGENTS: String(AT_A_TIME) });
  }
  const events = await stack.api.turnEnded(session);
  const sum = (AGENTS * (AGENTS - 1)) / 2;
  expect(resultText(events, 'call_1_1')).toBe(`workflow "sweep" completed (${AGENTS} agents).\nReturn value:\n${sum}`);
  const numbers = Array.from({ length: AGENTS }, (_, n) => n);
  const lines = scriptLines(events);
  expect(lines.filter((line) => line.startsWith('+'))).toEqual(numbers.map((n) => `+${n + 1} do part ${n}`));
  expect(lines.filter((line) => line.startsWith('-')).toSorted()).toEqual(
    numbers.map((n) => `-${n + 1} completed`).toSorted(),
  );
  expect(mostAtATime(events)).toBe(AT_A_TIME);
  const agents = agentsOf(events);
  expect(new Set(agents).size).toBe(AGENTS);
  for (const agent of agents) {
    const log = await stack.api.events(agent);
    expect(logLines(log).filter((line) => line.startsWith('turn/'))).toEqual(['turn/start', 'turn/end completed']);
  }
  // A command whose worker died may have run or not; none ran twice.
  const done = readFileSync(marks, 'utf8').trim().split('\n');
  expect(new Set(done).size).toBe(done.length);
  await expectSound(stack, session);
});

test('an agent that is terminated while its parent closes is missed soon, and what is known of it stands in the log', async () => {
  const options = scripted(stack, 'ends-badly', (request) => {
    const task = JSON.stringify(request.messages.find(({ role }) => role === 'user')?.content ?? '');
    if (task.includes('sleep on')) return { toolCalls: [bash(`trap '' TERM; sleep 600`)] };
    return callsThenDone({ name: 'subagent', arguments: { description: 'Sleep', prompt: 'sleep on' } })(request);
  });
  const session = await stack.api.create({ ...options, toolsets: ['subagents'] });
  await stack.api.prompt(session, 'go');
  const agent = resultText(await stack.api.turnEnded(session), 'call_1_1').replace('started subagent ', '');
  await stack.api.until(agent, 'its call', (log) => log.some(({ type }) => type === 'tool/call'));
  const handle = stack.client.workflow.getHandle(`session:${agent}`);
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  const told = async () =>
    (await handle.fetchHistory()).events?.some(
      (event) => event.workflowExecutionSignaledEventAttributes?.signalName === 'close',
    );
  await waitFor(told, { what: 'the agent to be told', everyMs: 20 });
  await handle.terminate('by an operator');
  const own = stack.client.workflow.getHandle(`session:${session}`);
  await waitFor(async () => (await own.describe()).status.name === 'COMPLETED', {
    what: 'the parent to close',
    timeoutMs: 25_000,
  });
  expect(JSON.stringify((await stack.api.events(session)).at(-2)?.data)).toContain('ended from outside (TERMINATED)');
  await expectSound(stack, session);
});
