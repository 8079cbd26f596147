import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { agentsEnded, agentsOf, mostAtATime, scriptCall, scriptLines, statusOf } from './support/script-runs.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
  await stack.worker().kill9();
  await stack.startWorker({ EVERTURN_WORKFLOW_AGENTS: '3' });
});
afterAll(() => stack?.stop());

/** A lead whose model runs a script, and agents of the same model, which answer by their task. */
async function lead(name: string, script: string, agent: (task: string, request: RequestView) => ScriptAnswer) {
  const own = callsThenDone(scriptCall(script, ['1', '2', '3', '4', '5', '6']));
  const options = scripted(stack, name, (request) => {
    const task = JSON.stringify(request.messages.find(({ role }) => role === 'user')?.content ?? '');
    return task.includes('lead the work') ? own(request) : agent(task, request);
  });
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'lead the work');
  return session;
}

const giveNumber = (n: number | string): ScriptAnswer => ({
  toolCalls: [{ name: 'structured_output', arguments: { n } }, bash('echo late')],
});

test('a script has agents work, a few at a time, through the death of its worker; each works once', async () => {
  const session = await lead(
    'fan-out',
    `phase('gather');
     log('begins');
     const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
     const found = await parallel(args.names.map((name) => () => agent('look at ' + name, { schema })));
     phase('write');
     return { found, said: await agent('sum up\\n' + found.map((f) => f && f.n).join('+'), { label: 'Sum' }) };`,
    (task, { messages }) => {
      const name = /look at (\d)/.exec(task)?.[1];
      if (name === undefined) return { text: 'the sum' };
      const tried = messages.some(({ role }) => role === 'assistant');
      if (name === '1' && !tried) return { ...giveNumber(1), hold: { gate: 'first', afterDeltas: 0 } };
      if (name === '3' && !tried) return giveNumber('three');
      if (name === '5') return { text: 'not as data' };
      return giveNumber(Number(name));
    },
  );
  await stack.model.held('first');
  await agentsEnded(stack, session, 2);
  await stack.worker().kill9();
  stack.model.release('first');
  await stack.startWorker({ EVERTURN_WORKFLOW_AGENTS: '3' });
  const events = await stack.api.turnEnded(session);
  const found = [1, 2, 3, 4, null, 6].map((n) => n && { n });
  expect(resultText(events, 'call_1_1')).toBe(
    `workflow "sweep" completed (7 agents).\nReturn value:\n${JSON.stringify({ found, said: 'the sum' }, undefined, 2)}`,
  );
  const lines = scriptLines(events);
  expect(lines.filter((line) => line.startsWith('+'))).toEqual([
    ...[1, 2, 3, 4, 5, 6].map((n) => `+${n} look at ${n} (gather)`),
    '+7 Sum (write)',
  ]);
  expect(lines.filter((line) => line.startsWith('-')).toSorted()).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((n) => `-${n} ${n === 5 ? 'failed' : 'completed'}`),
  );
  expect([lines[0], lines.at(-1), mostAtATime(events)]).toEqual(['run sweep', 'end completed', 3]);
  const agents = agentsOf(events);
  expect(new Set(agents).size).toBe(7);
  for (const agent of agents) {
    const log = await stack.api.events(agent);
    expect(logLines(log).filter((line) => line.startsWith('turn/'))).toEqual(['turn/start', 'turn/end completed']);
    expect(await statusOf(stack, agent)).toBe('closed');
    const { raw } = await stack.client.workflow.getHandle(`session:${agent}`).describe();
    const { workflowId } = raw.workflowExecutionInfo?.parentExecution ?? {};
    expect(workflowId).toBe(`session:${session}/program:t1.s1.c0`);
  }
  const third = await stack.api.events(agents[2] ?? '');
  expect(logLines(third).filter((line) => line.startsWith('tool/result'))).toEqual([
    'tool/result call_1_1 INVALID_ARGS',
    'tool/result call_1_2 ok',
    'tool/result call_2_1 ok',
    'tool/result call_2_2 error',
  ]);
  expect(resultText(third, 'call_2_2')).toBe('Error: the output has been recorded already: bash was not executed');
  for (const id of [session, agents[2] ?? '']) await expectSound(stack, id);
});

test('agents nobody waits for end with their script, and with a turn that is cancelled', async () => {
  const asleep = () => ({ toolCalls: [bash('sleep 600')] });
  const early = await lead(
    'early',
    `agent('sleep a'); agent('sleep b'); await agent('be quick'); return 'early'`,
    (task) => (task.includes('quick') ? { text: 'done' } : asleep()),
  );
  const waits = await lead('waits', `try { return await agent('sleep c') } catch { return 'caught' }`, asleep);
  await stack.api.until(waits, 'the agent', (events) => agentsOf(events).length > 0);
  await stack.api.call('POST', `/v1/sessions/${waits}/cancel`, {});
  const events = await stack.api.turnEnded(waits);
  expect(resultText(events, 'call_1_1')).toBe('Error: workflow run cancelled: the run was cancelled');
  expect(scriptLines(events)).toEqual(['run sweep', '+1 sleep c', '-1 cancelled', 'end cancelled']);
  expect(logLines(events).at(-1)).toBe('turn/end aborted');
  // As a client sees it that follows the stream.
  const ended = await stack.api.follow(early, (seen) => seen.at(-1)?.type === 'turn/end');
  expect(resultText(ended, 'call_1_1')).toContain('completed (3 agents).\nReturn value:\n"early"');
  expect(scriptLines(ended).toSorted()).toEqual([
    '+1 sleep a',
    '+2 sleep b',
    '+3 be quick',
    '-1 cancelled',
    '-2 cancelled',
    '-3 completed',
    'end completed',
    'run sweep',
  ]);
  for (const agent of [...agentsOf(events), ...agentsOf(ended)]) expect(await statusOf(stack, agent)).toBe('closed');
  await expectSound(stack, waits);
  await expectSound(stack, early);
});

test('what the engine refuses the script may catch: no schema, an agent ended in the Temporal UI', async () => {
  const script = `const codes = [];
    const note = (e) => codes.push(e.code);
    await agent('a', { schema: { type: 'array' } }).catch(note);
    await agent('never ends').catch(note);
    return codes`;
  const session = await lead('refused', script, () => ({ toolCalls: [bash('sleep 600')] }));
  const [agent = ''] = agentsOf(await stack.api.until(session, 'the agent', (log) => agentsOf(log).length > 0 && log));
  await stack.api.until(agent, 'its call', (log) => log.some(({ type }) => type === 'tool/call'));
  await stack.client.workflow.getHandle(`session:${agent}`).terminate('by an operator');
  const events = await stack.api.turnEnded(session);
  const codes = JSON.stringify(['UNSUPPORTED_SCHEMA', 'AGENT_RESULT'], undefined, 2);
  expect(resultText(events, 'call_1_1')).toBe(`workflow "sweep" completed (2 agents).\nReturn value:\n${codes}`);
  expect(scriptLines(events)).toEqual(['run sweep', '+2 never ends', '-2 failed', 'end completed']);
});

test('a program runs a script, whose agents work once though the worker dies; the log has the call alone', async () => {
  const script = `const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const tasks = ['look at a', 'look at b', 'give, then fail', 'give'];
    return await parallel(tasks.map((task) => () => agent(task, task.startsWith('give') ? { schema } : {})));`;
  const meta = { name: 'inner', description: 'Looks.' };
  const code = (source: string) => ({ name: 'run_code', arguments: { code: source, description: 'Run it' } });
  const own = callsThenDone(
    code(`const said = await tools.workflow(${JSON.stringify({ script, meta })});
      return JSON.parse(said.slice(said.indexOf('[')))`),
  );
  const options = scripted(stack, 'in-a-program', (request) => {
    const task = JSON.stringify(request.messages.find(({ role }) => role === 'user')?.content ?? '');
    if (task.includes('lead the work')) return own(request);
    if (task.includes('look at a')) return { text: 'saw a', hold: { gate: 'inner', afterDeltas: 0 } };
    if (task.includes('look at b')) return { text: 'saw b' };
    if (request.messages.some(({ role }) => role === 'assistant')) return { text: 'gave up' };
    // What a program records counts once the program has succeeded.
    const fails = task.includes('then fail');
    return { toolCalls: [code(`await tools.structured_output({ n: 2 }); ${fails ? 'throw new Error("late")' : ''}`)] };
  });
  const session = await stack.api.create({ ...options, toolsMode: 'both' });
  await stack.api.prompt(session, 'lead the work');
  await stack.model.held('inner');
  await stack.worker().kill9();
  stack.model.release('inner');
  await stack.startWorker({ EVERTURN_WORKFLOW_AGENTS: '3' });
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1').replaceAll(/\s/g, '')).toContain('["sawa","sawb",null,{"n":2}]');
  expect(events.filter(({ type }) => type.startsWith('tool-workflow/'))).toEqual([]);
  const path = `/v1/sessions?parent=${session}`;
  const { body } = await stack.api.call<{ sessions: { id: string; status: string }[] }>('GET', path);
  expect(body.sessions.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'closed'));
  for (const { id } of body.sessions) {
    const { raw } = await stack.client.workflow.getHandle(`session:${id}`).describe();
    expect(raw.workflowExecutionInfo?.parentExecution?.workflowId).toBe(`session:${session}/program:t1.s1.c0.1`);
    expect(logLines(await stack.api.events(id)).filter((line) => line === 'turn/start')).toHaveLength(1);
  }
  await expectSound(stack, session);
});
