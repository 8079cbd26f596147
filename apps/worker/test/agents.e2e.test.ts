import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '@everturn/core/domain';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const text = (value: unknown) => JSON.stringify(value ?? '');
const start = (description: string, prompt: string) => ({ name: 'subagent', arguments: { description, prompt } });

/** A lead and its agents, which share a model: `step` answers by what was said last and who is asked. */
async function lead(name: string, step: (last: string, who: string, request: RequestView) => ScriptAnswer) {
  stack.model.script(name, (request) => {
    const first = request.messages.find(({ role }) => role === 'user');
    return step(text(request.messages.at(-1)?.content), text(first?.content), request);
  });
  return stack.api.create({ provider: 'scripted', model: name, workspace: stack.workspace, toolsets: ['subagents'] });
}

const startedId = (events: readonly SessionEvent[], callId: string) =>
  /^started subagent (\S+)$/.exec(resultText(events, callId))?.[1] ?? '';

/** What stands in the log as a message, in words. */
const messages = (events: readonly SessionEvent[]) =>
  events.flatMap((event) =>
    event.type === 'user/message' || event.type === 'steering/message'
      ? [`${event.type.split('/')[0]} ${event.data.source.kind}`]
      : [],
  );
const status = async (session: string) =>
  String((await stack.api.call('GET', `/v1/sessions/${session}`)).body['status']);

test('an agent outlives the turn that started it, is written to, interrupted, and written to again', async () => {
  const go = join(stack.workspace, 'go');
  let agent = '';
  const session = await lead('stays', (last, who) => {
    if (who.includes('count things')) {
      if (last.includes('sleep now')) return { toolCalls: [bash('sleep 600')] };
      if (last.includes('are you there')) return { text: 'still here' };
      if (last.includes('count things')) return { toolCalls: [bash(`while [ ! -e ${go} ]; do sleep 0.05; done`)] };
      return { text: 'counted 3' };
    }
    if (last.includes('begin')) return { toolCalls: [start('Count', 'count things')] };
    if (last.includes('write')) {
      const message = last.includes('sleep') ? 'sleep now' : 'are you there';
      return { toolCalls: [{ name: 'send_message', arguments: { agent_id: agent, message } }] };
    }
    if (last.includes('interrupt it'))
      return { toolCalls: [{ name: 'interrupt_agent', arguments: { agent_id: agent } }] };
    if (last.includes('list')) return { toolCalls: [{ name: 'list_agents', arguments: {} }] };
    return { text: 'noted' };
  });
  await stack.api.prompt(session, 'begin');
  agent = startedId(await stack.api.turnEnded(session), 'call_1_1');
  await waitFor(async () => (await status(session)) === 'idle', { what: 'the lead to be idle' });

  // It settles while its parent is idle, which wakes the parent.
  await waitFor(async () => (await status(agent)) === 'running', { what: 'the agent to work' });
  writeFileSync(go, '');
  let events = await stack.api.turnEnded(session, 2);
  expect(messages(events)).toEqual(['user user', 'user subagent-settled']);
  expect(text(events.findLast(({ type }) => type === 'user/message')?.data)).toContain(
    `subagent ${agent} finished; it does nothing further unless you message it.\\nIts closing message:`,
  );
  expect(text(events)).toContain('counted 3');

  await stack.worker().kill9();
  await stack.startWorker();
  // An idle agent begins a turn for a message; what runs there is interrupted, and the agent stays.
  await stack.api.prompt(session, 'write: sleep');
  events = await stack.api.turnEnded(session, 3);
  expect(text(events)).toContain(`message delivered to agent ${agent}`);
  await stack.api.until(agent, 'its sleep', (log) => text(log).includes('sleep 600'));
  await stack.api.prompt(session, 'interrupt it');
  await stack.api.turnEnded(agent, 2);
  expect(logLines(await stack.api.events(agent)).at(-1)).toBe('turn/end aborted');
  events = await stack.api.until(session, 'word of it', (log) => (messages(log).length >= 5 ? log : undefined));
  expect(text(events)).toContain(`subagent ${agent} was stopped before it finished.`);

  await stack.api.until(session, 'rest', (log) => logLines(log).at(-1)?.startsWith('turn/end'));
  await stack.api.prompt(session, 'write: hello');
  await stack.api.turnEnded(agent, 3);
  events = await stack.api.until(session, 'the third word', (log) =>
    messages(log).filter((line) => line.includes('settled')).length === 3 ? log : undefined,
  );
  expect(text(events)).toContain('still here');

  await stack.api.until(session, 'rest', (log) => logLines(log).at(-1)?.startsWith('turn/end'));
  await stack.api.prompt(session, 'list');
  await stack.api.until(session, 'the list', (log) => text(log).includes(`${agent} [inactive] — Count`));

  // Closing the parent closes the agent; a message of the reopened parent brings it back.
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await waitFor(async () => (await status(session)) === 'closed', { what: 'the lead to close' });
  expect(await status(agent)).toBe('closed');
  await stack.api.call('POST', `/v1/sessions/${session}/resume`, {});
  await stack.api.prompt(session, 'write: hello');
  await stack.api.turnEnded(agent, 4);
  await waitFor(async () => (await status(agent)) === 'idle', { what: 'the agent to be idle again' });
  await expectSound(stack, agent);
  await expectSound(stack, session);
});

test('an agent that is terminated in the Temporal UI is missed by its parent, which is told', async () => {
  const session = await lead('missed', (last, who) => {
    if (who.includes('never end')) return { toolCalls: [bash('sleep 600')] };
    return last.includes('begin') ? { toolCalls: [start('Wait', 'never end')] } : { text: 'noted' };
  });
  await stack.api.prompt(session, 'begin');
  const agent = startedId(await stack.api.turnEnded(session), 'call_1_1');
  await stack.api.until(agent, 'its call', (log) => log.some(({ type }) => type === 'tool/call'));
  await stack.client.workflow.getHandle(`session:${agent}`).terminate('by an operator');
  const events = await stack.api.turnEnded(session, 2);
  expect(text(events)).toContain(
    `subagent ${agent} failed.\\nDiagnostic: its workflow was ended from outside (TERMINATED)`,
  );
  await expectSound(stack, session);
});

test('what an agent says while its parent is terminated its parent is told when it is resumed', async () => {
  const go = join(stack.workspace, 'go-alone');
  const session = await lead('alone', (last, who) => {
    if (who.includes('go on alone'))
      return last.includes('over')
        ? { text: 'went on' }
        : { toolCalls: [bash(`while [ ! -e ${go} ]; do sleep 0.05; done; echo over`)] };
    return last.includes('begin') ? { toolCalls: [start('Go on', 'go on alone')] } : { text: 'noted' };
  });
  await stack.api.prompt(session, 'begin');
  const agent = startedId(await stack.api.turnEnded(session), 'call_1_1');
  await stack.api.until(agent, 'its call', (log) => log.some(({ type }) => type === 'tool/call'));
  await stack.client.workflow.getHandle(`session:${session}`).terminate('by an operator');
  writeFileSync(go, '');
  await stack.api.turnEnded(agent);
  await waitFor(async () => (await status(agent)) === 'idle', { what: 'the agent to be done' });
  await stack.api.call('POST', `/v1/sessions/${session}/resume`, {});
  const events = await stack.api.turnEnded(session, 2);
  expect(text(events.findLast(({ type }) => type === 'user/message')?.data)).toContain(`subagent ${agent} finished`);
  expect(text(events)).toContain('went on');
  await expectSound(stack, session);
});

test('three agents that settle at once are told of in one turn; one writes to its parent before', async () => {
  const go = join(stack.workspace, 'go-three');
  let parent = '';
  const session = await lead('three', (last, who) => {
    const name = /be agent (\w)/.exec(who)?.[1];
    if (name === 'b' && !existsSync(`${go}.b`)) {
      writeFileSync(`${go}.b`, '');
      return { toolCalls: [{ name: 'send_message', arguments: { agent_id: parent, message: 'b says hello' } }] };
    }
    if (name && !last.includes('over'))
      return { toolCalls: [bash(`while [ ! -e ${go} ]; do sleep 0.05; done; echo over`)] };
    if (name) return { text: `${name} is done` };
    if (last.includes('begin')) return { toolCalls: ['a', 'b', 'c'].map((agent) => start(agent, `be agent ${agent}`)) };
    return { text: 'noted' };
  });
  parent = session;
  await stack.api.prompt(session, 'begin');
  await stack.api.until(session, "the agent's message", (log) =>
    messages(log).some((line) => line.endsWith('agent-message')),
  );
  await waitFor(async () => (await status(session)) === 'idle', { what: 'the lead to be idle' });
  writeFileSync(go, '');
  const events = await stack.api.until(session, 'three words', (log) =>
    messages(log).filter((line) => line.endsWith('subagent-settled')).length === 3 ? log : undefined,
  );
  expect(messages(events).filter((line) => line === 'user subagent-settled').length).toBeLessThanOrEqual(3);
  for (const name of ['a', 'b', 'c']) expect(text(events)).toContain(`${name} is done`);
  await expectSound(stack, session);
});

/** What an agent's owner has its operators shown. */
async function atWork(session: string): Promise<string> {
  const handle = stack.client.workflow.getHandle(`session:${session}`);
  return (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
}
const settledWord = (events: readonly SessionEvent[]) => messages(events).filter((line) => line.endsWith('-settled'));
const closed = (session: string) =>
  waitFor(async () => (await status(session)) === 'closed', { what: `${session} to close` });

test('a person writes to an agent, and stops it; its parent is told, and only while there is one it is brought back', async () => {
  const session = await lead('by-person', (last, who) => {
    if (!who.includes('be there'))
      return last.includes('begin') ? { toolCalls: [start('Be', 'be there')] } : { text: 'noted' };
    if (last.includes('sleep now')) return { toolCalls: [bash('sleep 600')] };
    return { text: last.includes('a person') ? 'heard a person' : 'here' };
  });
  await stack.api.prompt(session, 'begin');
  const agent = startedId(await stack.api.turnEnded(session), 'call_1_1');
  await stack.api.turnEnded(session, 2);
  const path = `/v1/sessions/${session}/children/${agent}`;
  const write = (content: string) => stack.api.call('POST', `${path}/prompts`, { content });

  expect(await write('from a person')).toMatchObject({ status: 202, body: { accepted: 'delivered' } });
  expect(text(await stack.api.turnEnded(session, 3))).toContain('heard a person');
  expect(messages(await stack.api.events(agent))).toEqual(['user agent-message', 'user user']);

  await write('sleep now');
  await stack.api.until(agent, 'its sleep', (log) => text(log).includes('sleep 600'));
  await waitFor(async () => (await atWork(session)).includes(`session:${agent}`), { what: 'its parent to know' });
  expect((await stack.api.call('POST', `${path}/interrupt`)).status).toBe(202);
  expect(text(await stack.api.turnEnded(session, 4))).toContain(`subagent ${agent} was stopped before it finished.`);
  expect(await atWork(session)).not.toContain(`session:${agent}`);

  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await closed(session);
  expect((await write('from a person')).body['code']).toBe('SUBAGENT_PARENT_UNAVAILABLE');
  await stack.api.call('POST', `/v1/sessions/${session}/resume`, {});
  expect((await write('from a person')).status).toBe(202);
  expect(settledWord(await stack.api.turnEnded(session, 5))).toHaveLength(4);
  for (const id of [agent, session]) await expectSound(stack, id);
});

test('a person who writes to the agent of an agent has both at work, and each tells whom it works for', async () => {
  const go = join(stack.workspace, 'go-leaf');
  const session = await lead('three-levels', (last, who) => {
    if (who.includes('be the leaf'))
      return last.includes('wait for it')
        ? { toolCalls: [bash(`while [ ! -e ${go} ]; do sleep 0.05; done`)] }
        : { text: 'leaf done' };
    if (who.includes('be the middle'))
      return last.includes('be the middle') ? { toolCalls: [start('Leaf', 'be the leaf')] } : { text: 'middle done' };
    return last.includes('begin') ? { toolCalls: [start('Middle', 'be the middle')] } : { text: 'noted' };
  });
  await stack.api.prompt(session, 'begin');
  const middle = startedId(await stack.api.turnEnded(session), 'call_1_1');
  const leaf = startedId(await stack.api.turnEnded(middle), 'call_1_1');
  await stack.api.turnEnded(session, 2);
  await stack.api.call('POST', `/v1/sessions/${middle}/children/${leaf}/prompts`, { content: 'wait for it' });
  await waitFor(async () => (await atWork(session)).includes(`session:${middle}`), { what: 'the lead to know' });
  expect(await status(middle)).toBe('idle');
  writeFileSync(go, '');
  const events = await stack.api.turnEnded(session, 3);
  expect(settledWord(events)).toHaveLength(2);
  expect(settledWord(await stack.api.events(middle))).toHaveLength(2);
  expect(await atWork(session)).not.toContain(`session:${middle}`);
  for (const id of [leaf, middle, session]) await expectSound(stack, id);
});

test('what an agent comes to as its parent closes stands in the log for its next life, and begins no turn', async () => {
  const session = await lead('closes-early', (last, who, request) => {
    if (who.includes('sleep on')) return { text: 'I sleep', toolCalls: [bash('sleep 600')] };
    if (last.includes('begin')) return { toolCalls: [start('Sleep', 'sleep on')] };
    return { text: text(request.messages).includes('was stopped before it finished') ? 'I know' : 'noted' };
  });
  await stack.api.prompt(session, 'begin');
  const agent = startedId(await stack.api.turnEnded(session), 'call_1_1');
  await stack.api.until(agent, 'its sleep', (log) => text(log).includes('sleep 600'));
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await closed(session);
  expect(await status(agent)).toBe('closed');
  const events = await stack.api.events(session);
  expect(logLines(events).slice(-3)).toEqual([
    'turn/start',
    expect.stringMatching(/^context\/message/),
    'turn/end completed',
  ]);
  expect(text(events.at(-2)?.data)).toContain(
    `subagent ${agent} was stopped before it finished.\\nIts closing message:`,
  );
  await stack.api.call('POST', `/v1/sessions/${session}/resume`, {});
  await stack.api.prompt(session, 'what became of it?');
  expect(text((await stack.api.turnEnded(session, 3)).at(-3)?.data)).toContain('I know');
  for (const id of [agent, session]) await expectSound(stack, id);
});
