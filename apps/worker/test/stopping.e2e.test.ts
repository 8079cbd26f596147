import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReminderId, SessionEvent, SessionId } from '@everturn/core/domain';
import { reminderWorkflowId } from '@everturn/core/protocol';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { holdWrites } from './support/hold-writes.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, scripted } from './support/model-scripts.ts';
import { scriptCall, scriptLines, statusOf } from './support/script-runs.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const text = (value: unknown) => JSON.stringify(value ?? '');
const agent = (prompt: string, more: object = {}) => ({
  name: 'subagent',
  arguments: { description: prompt, prompt, ...more },
});
const inBackground = (command: string) => ({
  name: 'bash',
  arguments: { ...bash(command).arguments, run_in_background: true },
});

/** A lead and its agents, which share a model: it answers by what was said last, and agents by their task. */
async function lead(name: string, step: (last: string, task: string, request: RequestView) => ScriptAnswer) {
  const options = scripted(stack, name, (request) => {
    const first = request.messages.find(({ role }) => role === 'user');
    return step(text(request.messages.at(-1)?.content), text(first?.content), request);
  });
  return stack.api.create({ ...options, toolsets: ['subagents'] });
}

const childrenOf = async (session: string) => {
  const { body } = await stack.api.call<{ nodes: { id: string; label: string; status: string }[] }>(
    'GET',
    `/v1/sessions/${session}/tree`,
  );
  return new Map(body.nodes.map((node) => [node.label, node]));
};
const jobsOf = async (session: string) =>
  (await stack.api.call<{ jobs: { state: string }[] }>('GET', `/v1/sessions/${session}/jobs`)).body.jobs.map(
    ({ state }) => state,
  );
const calling = (session: string, calls = 1) =>
  stack.api.until(session, `${calls} calls`, (log) => log.filter(({ type }) => type === 'tool/call').length === calls);

/** What a log's session was told of agents that settled: the texts of each notice. */
const notices = (events: readonly SessionEvent[]): string[][] =>
  events.flatMap((event) =>
    (event.type === 'user/message' || event.type === 'steering/message') &&
    event.data.source.kind === 'subagent-settled'
      ? [event.data.content.map((block) => (block.type === 'text' ? block.text : block.type))]
      : [],
  );
const lastTurn = (events: readonly SessionEvent[]) =>
  events.slice(events.findLastIndex(({ type }) => type === 'turn/start'));

test.concurrent('a cancel of a turn reaches what it waits for, one of the tree the turns below, the end of a session everything', async () => {
  const go = join(stack.workspace, 'go-stopping');
  const asleep = { toolCalls: [bash('sleep 600')] };
  const session = await lead('stopping', (last, task) => {
    if (task.includes('stay here')) return { toolCalls: [inBackground('sleep 600'), bash('sleep 600')] };
    if (task.includes('wait for it'))
      return last.includes('wait for it')
        ? { toolCalls: [bash(`while [ ! -e ${go} ]; do sleep 0.05; done`)] }
        : { text: 'it came' };
    if (task.includes('ask the model')) return { text: 'never said', hold: 'stopping' };
    if (task.includes('run a script')) return { toolCalls: [scriptCall(`return await agent('in a script')`)] };
    if (task.includes('use a tool') || task.includes('in a script')) return asleep;
    if (last.includes('begin'))
      return {
        toolCalls: [
          agent('stay here'),
          inBackground('sleep 600'),
          { name: 'schedule_create', arguments: { prompt: 'tea', after_seconds: 3_600 } },
        ],
      };
    if (!last.includes('work')) return { text: 'noted' };
    const tasks = ['use a tool', 'ask the model', 'run a script'];
    const waitedFor = tasks.map((prompt) => agent(prompt, { run_in_background: false }));
    return { toolCalls: [agent('wait for it'), ...waitedFor] };
  });
  await stack.api.prompt(session, 'begin');
  await stack.api.turnEnded(session);
  await stack.api.prompt(session, 'work');
  await stack.model.held('stopping');
  const tree = await waitFor(
    async () =>
      [await childrenOf(session)].find((nodes) =>
        ['wait for it', 'use a tool', 'run a script', 'in a script'].every((label) => nodes.has(label)),
      ),
    { what: 'everybody to be there' },
  );
  const id = (label: string) => tree.get(label)?.id ?? '';
  const [stays, waits] = [id('stay here'), id('wait for it')];
  await Promise.all([calling(stays, 2), ...['use a tool', 'in a script'].map((label) => calling(id(label)))]);

  await stack.api.call('POST', `/v1/sessions/${session}/cancel`, {});
  const cancelled = lastTurn(await stack.api.turnEnded(session, 2));
  const results = cancelled.flatMap((event) => (event.type === 'tool/result' ? [event.data.callId] : []));
  expect(results.map((call) => resultText(cancelled, call))).toEqual([
    `started subagent ${waits}`,
    ...Array.from({ length: 3 }, () => 'Error: subagent run was cancelled'),
  ]);
  expect(logLines(cancelled).at(-1)).toBe('turn/end aborted');
  for (const label of ['use a tool', 'ask the model', 'run a script', 'in a script']) {
    expect([label, logLines(await stack.api.turnEnded(id(label))).at(-1)]).toEqual([label, 'turn/end aborted']);
    expect(await statusOf(stack, id(label))).toBe('closed');
  }
  expect(scriptLines(await stack.api.events(id('run a script')))).toEqual([
    'run sweep',
    '+1 in a script',
    '-1 cancelled',
    'end cancelled',
  ]);
  const clock = stack.client.workflow.getHandle(reminderWorkflowId(session as SessionId, 'schedule-1' as ReminderId));
  const leftAlone = async () => ({
    agents: [await statusOf(stack, stays), await statusOf(stack, waits)],
    jobs: [await jobsOf(session), await jobsOf(stays)],
    clock: (await clock.describe()).status.name,
  });
  const jobs = [['running'], ['running']];
  expect(await leftAlone()).toEqual({ agents: ['running', 'running'], jobs, clock: 'RUNNING' });

  const own = stack.client.workflow.getHandle(`session:${session}`);
  const { currentDetails } = await own.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain(`- agents at work: \`session:${stays}\`, \`session:${waits}\``);

  // An agent that stays goes on, and its word wakes the one whose turn was cancelled.
  writeFileSync(go, '');
  expect(notices(await stack.api.turnEnded(session, 3))).toEqual([
    [`subagent ${waits} finished; it does nothing further unless you message it.\nIts closing message:`, 'it came'],
  ]);

  const { body } = await stack.api.call<{ cancelled: string[] }>('POST', `/v1/sessions/${session}/tree/cancel`, {});
  expect(body.cancelled.toSorted()).toEqual([session, stays, waits].toSorted());
  expect(logLines(await stack.api.turnEnded(stays)).at(-1)).toBe('turn/end aborted');
  expect(notices(await stack.api.turnEnded(session, 4)).slice(1)).toEqual([
    [`subagent ${stays} was stopped before it finished.\nIt left no closing message.`],
  ]);
  await waitFor(async () => (await statusOf(stack, stays)) === 'idle', { what: 'the agent to rest' });
  expect(await leftAlone()).toEqual({ agents: ['idle', 'idle'], jobs, clock: 'RUNNING' });

  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await own.result();
  expect(await leftAlone()).toMatchObject({ agents: ['closed', 'closed'], jobs: [['killed'], ['killed']] });
  await waitFor(async () => (await clock.describe()).status.name === 'COMPLETED', { what: 'the clock to stop' });
  expect(notices(await stack.api.events(session))).toHaveLength(2);
  for (const one of [session, stays]) await expectSound(stack, one);
});

test.concurrent('agents that stay and fail, run out of room or are cancelled: what their parent reads', async () => {
  const session = await lead('ends-badly', (last, task) => {
    if (task.includes('please fail')) return { fault: { kind: 'status', status: 400, message: 'no such thing' } };
    if (task.includes('talk on')) return { text: 'half of', finish: 'length' };
    if (task.includes('sleep on')) return { text: 'I sleep', toolCalls: [bash('sleep 600')] };
    return last.includes('begin')
      ? { toolCalls: ['please fail', 'talk on', 'sleep on'].map((wish) => agent(wish)) }
      : { text: 'noted' };
  });
  await stack.api.prompt(session, 'begin');
  const tree = await waitFor(async () => [await childrenOf(session)].find(({ size }) => size === 4), {
    what: 'three agents',
  });
  const id = (label: string) => tree.get(label)?.id ?? '';
  await calling(id('sleep on'));
  await stack.api.call('POST', `/v1/sessions/${session}/children/${id('sleep on')}/interrupt`, {});
  const told = await stack.api.until(session, 'three words', (log) =>
    [notices(log)].find(({ length }) => length === 3),
  );
  expect(new Set(told)).toEqual(
    new Set([
      [
        `subagent ${id('please fail')} failed.\nDiagnostic: INVALID_REQUEST: no such thing (HTTP 400, invalid_request_error)\nIt left no closing message.`,
      ],
      [`subagent ${id('talk on')} ran out of room before it finished.\nIts closing message:`, 'half of'],
      [`subagent ${id('sleep on')} was stopped before it finished.\nIts closing message:`, 'I sleep'],
    ]),
  );
  await expectSound(stack, session);
});

test.concurrent('messages to an agent that is interrupted wait for the next one, and are read in order', async () => {
  let id = '';
  const tell = (message: string) => ({ name: 'send_message', arguments: { agent_id: id, message } });
  const session = await lead('parks', (last, task) => {
    if (task.includes('sleep on'))
      return last.includes('sleep on') ? { toolCalls: [bash('sleep 600')] } : { text: 'read' };
    if (last.includes('begin')) return { toolCalls: [agent('sleep on')] };
    if (last.includes('go on')) return { toolCalls: [tell('three')] };
    if (!last.includes('stop it')) return { text: 'noted' };
    return { toolCalls: [tell('one'), tell('two'), { name: 'interrupt_agent', arguments: { agent_id: id } }] };
  });
  const say = async (words: string, turn: number) => {
    await stack.api.prompt(session, words);
    return lastTurn(await stack.api.turnEnded(session, turn));
  };
  await say('begin', 1);
  id = (await childrenOf(session)).get('sleep on')?.id ?? '';
  await calling(id);
  expect(text(await say('stop it', 2))).toContain(`interrupt requested for agent ${id}`);
  expect(logLines(await stack.api.turnEnded(id)).at(-1)).toBe('turn/end aborted');
  // What waits for it is parked: until it is written to again it is done.
  await waitFor(async () => (await statusOf(stack, id)) === 'idle', { what: 'the agent to rest' });
  // Its word comes after that, and would stand behind what is said in the same turn.
  const turns = await stack.api.until(session, 'it to be told, and to rest', (all) => {
    const since = all.slice(all.findIndex((event) => notices([event]).length > 0));
    const over = (events: SessionEvent[]) => events.filter(({ type }) => type === 'turn/end').length;
    return notices(all).length > 0 && over(since) > 0 && over(all);
  });
  await say('go on', turns + 1);
  const log = await stack.api.turnEnded(id, 4);
  const read = log.flatMap(({ type, data }) =>
    type === 'user/message'
      ? data.content.flatMap((block) => (block.type === 'text' && block.text.length < 6 ? [block.text] : []))
      : [],
  );
  expect(read).toEqual(['one', 'two', 'three']);
  const told = await stack.api.until(session, 'both words of it', (all) =>
    [notices(all)].find(({ length }) => length > 1),
  );
  expect(told).toEqual([[expect.stringContaining('was stopped')], [expect.stringContaining('finished'), 'read']]);
  await expectSound(stack, id);
});

test('a turn that is stopped before an agent has its task starts nobody', async () => {
  const session = await lead('too-late', (last) =>
    last.includes('begin') ? { toolCalls: [agent('work on')] } : { text: 'noted' },
  );
  const step = stack.client.workflow.getHandle(`session:${session}/turn:1/step:1`);
  const told = async () =>
    (await step.fetchHistory()).events?.some((event) => event.workflowExecutionCancelRequestedEventAttributes);
  const call = `new.session_id = '${session}' and new.type = 'tool/call'`;
  await holdWrites(stack.database, { table: 'session_events', where: call }, async (held) => {
    await stack.api.prompt(session, 'begin');
    await held();
    await stack.api.call('POST', `/v1/sessions/${session}/cancel`, {});
    await waitFor(told, { what: 'the step to hear of it' });
  });
  const events = await stack.api.turnEnded(session);
  expect(logLines(events).slice(-4)).toEqual([
    'tool/call call_1_1',
    'tool/result call_1_1 CANCELLED',
    'step/end',
    'turn/end aborted',
  ]);
  expect(resultText(events, 'call_1_1')).toBe('Error: the turn was stopped; nothing was done');
  expect((await childrenOf(session)).size).toBe(1);
  await expectSound(stack, session);
});

test('a stop between the end of a call and the next step keeps its result; what is sent meanwhile runs next', async () => {
  const session = await stack.api.create(
    scripted(stack, 'in-between', ({ lastUser, steps }) =>
      lastUser === 'go' && steps.length === 0 ? { toolCalls: [bash('echo kept')] } : { text: `heard ${lastUser}` },
    ),
  );
  const over = `new.session_id = '${session}' and new.label = 'bash' and new.state = 'done'`;
  await holdWrites(stack.database, { table: 'claims', where: over }, async (held) => {
    await stack.api.prompt(session, 'go');
    await held();
    await stack.api.prompt(session, 'parked');
    await stack.api.call('POST', `/v1/sessions/${session}/interrupt`, {});
    await stack.api.prompt(session, 'next');
  });
  const events = await stack.api.turnEnded(session, 3);
  expect(resultText(events, 'call_1_1')).toContain('kept');
  expect(logLines(events).filter((line) => /^(tool|step|turn.end)/.test(line))).toEqual([
    'step/start',
    'tool/call call_1_1',
    'tool/result call_1_1 ok',
    'step/end',
    'turn/end aborted',
    ...Array.from({ length: 2 }, () => ['step/start', 'step/end', 'turn/end completed']).flat(),
  ]);
  const said = events.flatMap(({ type, data }) => (type === 'user/message' ? [text(data.content)] : []));
  expect(said.map((words) => /go|parked|next/.exec(words)?.[0])).toEqual(['go', 'parked', 'next']);
  await expectSound(stack, session);
});
