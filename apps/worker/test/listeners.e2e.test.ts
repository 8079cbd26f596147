import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { openProjection } from '../src/projection/index.ts';
import { expectRebuilt } from './support/expect-rebuilt.ts';
import { expectSound } from './support/expect-sound.ts';
import { heardIn } from './support/heard-in.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { agentsOf, scriptCall } from './support/script-runs.ts';
import { startStack, type Stack } from './support/stack.ts';

const plugin = ['judging', 'speaking', 'hearing']
  .map((name) => fileURLToPath(new URL(`support/${name}-plugin.ts`, import.meta.url)))
  .join(':');
let stack: Stack;
const folder = mkdtempSync(join(tmpdir(), 'everturn-hooks-'));
beforeAll(async () => {
  const file = join(folder, 'hooks.json');
  writeFileSync(file, JSON.stringify(hooks));
  stack = await startStack({ worker: { EVERTURN_PLUGINS: plugin, EVERTURN_HOOKS_FILE: file } });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const until = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done`;
const command = (text: string) => [{ type: 'command', command: text }];
/** One that waits until it may refuse, and one that hears of sessions that are opened again. */
const hooks = {
  claude: {
    hooks: {
      PreToolUse: [{ matcher: 'glob', hooks: command(`echo x >> asked; ${until('refuse')}; exit 2`) }],
      SubagentStart: [{ hooks: command(`cat >> agents; echo >> agents`) }],
      SubagentStop: [
        { hooks: command(`cat >> agents; [ -e stopped ] || { touch stopped; echo say more >&2; exit 2; }`) },
      ],
    },
  },
  codex: {
    hooks: {
      SessionStart: [{ matcher: 'resume', hooks: command(`${until('works')}; echo welcome back; touch told`) }],
    },
  },
};

/** A session with a folder of its own. */
async function inFolder(name: string, script: ReturnType<typeof callsThenDone>) {
  const workspace = join(stack.workspace, name);
  mkdirSync(workspace);
  const session = await stack.api.create({ ...scripted(stack, name, script), workspace });
  return { session, workspace };
}

const glob = { name: 'glob', arguments: { pattern: '*' } };
const hookLines = (events: Parameters<typeof logLines>[0]) =>
  logLines(events).filter((line) => line.startsWith('hook/') || line.startsWith('tool/'));
const results = (events: Parameters<typeof logLines>[0]) =>
  events.flatMap((event) => (event.type === 'hook/result' ? [event.data] : []));

test('listeners after a body see the whole, on the machine where what they leave over is spilled', async () => {
  const long = bash('head -c 200000 /dev/zero | tr "\\0" x');
  const session = await stack.api.create(scripted(stack, 'judged', callsThenDone(long)));
  await stack.api.prompt(session, 'go');
  const shown = resultText(await stack.api.turnEnded(session), 'call_1_1');
  expect(shown.length).toBeLessThanOrEqual(50_000);
  const [, judged, file] = /^judged (\d+)\n[^]*stored at: (\S+)\. /.exec(shown) ?? [];
  expect(Number(judged)).toBeGreaterThan(60_000);
  expect(readFileSync(file ?? '', 'utf8').length).toBe(`judged ${judged}\n`.length + Number(judged));
  const history = await stack.client.workflow.getHandle(`session:${session}/turn:1/step:1`).fetchHistory();
  const scheduled = (history.events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  const [ran, asked] = ['runTool', 'intercept'].map((name) =>
    scheduled.find(({ activityType }) => activityType?.name === name),
  );
  expect(asked?.taskQueue?.name).toMatch(/^everturn-host:/);
  expect(asked?.taskQueue?.name).toBe(ran?.taskQueue?.name);
  await expectSound(stack, session);
});

test('what a body has for the log is written after its result, once listeners let that stand', async () => {
  const present = (path: string) => {
    writeFileSync(join(stack.workspace, path), '');
    return { name: 'present', arguments: { files: [{ path }] } };
  };
  const calls = callsThenDone(present('given.txt'), present('withheld.txt'));
  const session = await stack.api.create(scripted(stack, 'presented', calls));
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(logLines(events).slice(5, 10)).toEqual([
    'tool/call call_1_1',
    'tool/result call_1_1 ok',
    'deliverables/presented',
    'tool/call call_1_2',
    'tool/result call_1_2 error',
  ]);
  expect(events.find(({ type }) => type === 'deliverables/presented')?.data).toEqual({
    turn: 1,
    callId: 'call_1_1',
    files: [{ path: 'given.txt' }],
  });
  await expectSound(stack, session);
});

test('a hook refuses a call on the machine the session works on; a rebuilt log tells of it, too', async () => {
  const { session, workspace } = await inFolder('hook-refuses', callsThenDone(glob));
  writeFileSync(join(workspace, 'refuse'), '');
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(hookLines(events)).toEqual([
    'tool/call call_1_1',
    'hook/invoked',
    'hook/result',
    'tool/result call_1_1 error',
  ]);
  expect(resultText(events, 'call_1_1')).toContain('Error: blocked by PreToolUse hook');
  await expectSound(stack, session);
  await expectRebuilt(stack, openProjection({ database: stack.database, owner: 'test' }), session);
});

test('interrupted while a hook hangs: the turn ends, the hook with it, and the next message runs', async () => {
  const { session, workspace } = await inFolder('hook-hangs', callsThenDone(glob));
  await stack.api.prompt(session, 'go');
  await waitFor(() => existsSync(join(workspace, 'asked')), { what: 'the hook' });
  // It is seen to run.
  expect(hookLines(await stack.api.events(session))).toEqual(['tool/call call_1_1', 'hook/invoked']);
  await stack.api.call('POST', `/v1/sessions/${session}/cancel`);
  const events = await stack.api.turnEnded(session);
  expect(hookLines(events)).toEqual([
    'tool/call call_1_1',
    'hook/invoked',
    'hook/result',
    'tool/result call_1_1 ABORTED_BEFORE_DISPATCH',
  ]);
  expect(results(events)).toMatchObject([{ decision: 'pass', stderrSummary: 'its turn was stopped' }]);
  await stack.api.prompt(session, 'again');
  expect(logLines(await stack.api.turnEnded(session, 2)).at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});

test('worker killed while a hook runs: it is not run again, and the log tells of it once', async () => {
  const { session, workspace } = await inFolder('hook-lost', callsThenDone(glob));
  await stack.api.prompt(session, 'go');
  await waitFor(() => existsSync(join(workspace, 'asked')), { what: 'the hook' });
  await stack.worker().kill9();
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(hookLines(events)).toEqual(['tool/call call_1_1', 'hook/invoked', 'hook/result', 'tool/result call_1_1 ok']);
  expect(results(events)).toMatchObject([{ decision: 'pass', stderrSummary: 'its worker was lost while it ran' }]);
  expect(readFileSync(join(workspace, 'asked'), 'utf8')).toBe('x\n');
  await expectSound(stack, session);
});

test('a hook of the session’s start does not hold its turn up; what it says reaches the model', async () => {
  const script: ReturnType<typeof callsThenDone> = ({ messages }) =>
    messages.at(-1)?.role === 'user' && JSON.stringify(messages.at(-1)).includes('work')
      ? { toolCalls: [bash(`touch works; ${until('told')}`)] }
      : { text: 'done' };
  const { session } = await inFolder('hook-start', script);
  await stack.api.prompt(session, 'hello');
  await stack.api.turnEnded(session);
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await waitFor(async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'] === 'closed', {
    what: 'the session to close',
  });
  await stack.api.call('POST', `/v1/sessions/${session}/resume`);
  await stack.api.prompt(session, 'work');
  const events = await stack.api.turnEnded(session, 2);
  const lines = logLines(events);
  expect(lines.filter((line) => line.startsWith('hook/'))).toEqual(['hook/invoked', 'hook/result']);
  expect(lines.indexOf('tool/call call_1_1')).toBeLessThan(lines.indexOf('hook/result'));
  const said = events.find(({ type }) => type === 'context/message');
  expect(said?.data).toEqual({
    content: [{ type: 'text', text: 'welcome back' }],
    source: { kind: 'plugin', plugin: 'hooks' },
  });
  await expectSound(stack, session);
});

test('hooks hear of an agent’s start and of its end, which they may put off', async () => {
  const { session, workspace } = await inFolder('hook-agents', ({ messages, lastUser }) => {
    if (lastUser.startsWith('look')) return { text: 'seen' };
    if (lastUser.includes('SubagentStop')) return { text: 'seen it all' };
    return messages.at(-1)?.role === 'tool'
      ? { text: 'done' }
      : { toolCalls: [{ name: 'subagent', arguments: { description: 'look', prompt: 'look' } }] };
  });
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toContain('seen it all');
  const told = readFileSync(join(workspace, 'agents'), 'utf8').trimEnd().split('\n');
  const heard = told.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, string>);
  const agent = heard[0]?.['agent_id'] ?? '';
  const common = { session_id: session, agent_id: agent, agent_type: 'general-purpose', cwd: workspace };
  expect(heard).toMatchObject([
    { ...common, hook_event_name: 'SubagentStart' },
    { ...common, hook_event_name: 'SubagentStop' },
    { ...common, hook_event_name: 'SubagentStop' },
  ]);
  expect(results(await stack.api.events(agent)).map(({ decision }) => decision)).toEqual(['pass', 'deny', 'pass']);
  for (const id of [session, agent]) await expectSound(stack, id);
});

test('a plugin speaks to the session it is asked about: context, steering, messages, quiet and cancel', async () => {
  const options = scripted(stack, 'spoken-to', ({ messages }) =>
    JSON.stringify(messages.at(-1)).includes('stop me')
      ? { toolCalls: [bash('echo stopped by plugin')] }
      : { text: 'done' },
  );
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'hand over');
  const events = await stack.api.until(session, 'the last message', (all) =>
    JSON.stringify(all).includes('once all was quiet') && all.at(-1)?.type === 'turn/end' ? all : undefined,
  );
  const said = events.flatMap(({ type, data }) =>
    'content' in data && 'source' in data && data.source.kind === 'plugin'
      ? [`${type}: ${data.content.map((block) => (block.type === 'text' ? block.text : '')).join('')}`]
      : [],
  );
  // Which of the two the turn hears first is theirs to settle.
  expect([...said.slice(0, 2).toSorted(), ...said.slice(2)]).toEqual([
    `context/message: ${session} spoken-to running`,
    'steering/message: mind the gap',
    'user/message: a turn of its own',
    'user/message: once all was quiet',
  ]);
  await stack.api.prompt(session, 'stop me');
  const stopped = await stack.api.until(session, 'the turn to be stopped', (all) =>
    logLines(all).includes('turn/end aborted') ? all : undefined,
  );
  expect(logLines(stopped).at(-1)).toBe('turn/end aborted');
  await expectSound(stack, session);
});

test('plugins hear what agents, scripts and goals do as it happens, with the ids that lead there', async () => {
  const script = `phase('look'); log('begins'); return await agent('go and look', { label: 'Look' })`;
  const options = scripted(stack, 'heard', ({ lastUser, steps }) => {
    if (lastUser !== 'go' || steps.length > 0) return { text: 'x' };
    const task = { name: 'subagent', arguments: { description: 'Fetch', prompt: 'fetch it' } };
    return { toolCalls: [task, scriptCall(script)] };
  });
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  const [looks] = agentsOf(events);
  await stack.api.call('PUT', `/v1/sessions/${session}/goal`, {
    operation: 'create',
    objective: 'ship it',
    maxGoalRounds: 1,
  });
  const blocked = (all: typeof events) =>
    all.some((event) => event.type === 'goal/change' && event.data.operation === 'block');
  await stack.api.follow(session, blocked);
  await stack.api.prompt(session, 'what was heard');
  const told = await stack.api.until(session, 'the answer', heardIn);
  const { body } = await stack.api.call<{ sessions: { id: string }[] }>('GET', `/v1/sessions/${session}/children`);
  const fetches = body.sessions.find(({ id }) => id !== looks)?.id ?? '';
  const of = (kind: string) => told.filter((heard) => heard.kind.startsWith(kind));
  const run = (id: string | undefined) => ({ runId: `${id}.1`, id, mode: 'one-shot', local: true });
  expect(of('subagent/')).toEqual([
    { kind: 'subagent/start', ...run(fetches) },
    { kind: 'subagent/end', ...run(fetches), stopReason: 'completed' },
    { kind: 'subagent/start', ...run(looks) },
    { kind: 'subagent/end', ...run(looks), stopReason: 'completed' },
  ]);
  const runId = 't1.s1.c1';
  const agent = { runId, seq: 1, label: 'Look', phase: 'look', childId: looks };
  expect(of('workflow/')).toEqual([
    { kind: 'workflow/start', runId, name: 'sweep' },
    { kind: 'workflow/phase', runId, title: 'look' },
    { kind: 'workflow/log', runId, message: 'begins' },
    { kind: 'workflow/agent-start', ...agent },
    { kind: 'workflow/agent-end', ...agent, outcome: 'completed' },
    { kind: 'workflow/end', runId, stopReason: 'completed' },
  ]);
  const changes = (await stack.api.events(session)).filter((event) => event.type === 'goal/change');
  expect(of('goal/')).toEqual(
    changes.map(({ data }) => ({
      kind: 'goal/changed',
      operation: data.operation,
      ...('goal' in data && { ref: { id: data.goal.id, revision: data.goal.revision }, goal: data.goal }),
    })),
  );
  expect(of('goal/').map(({ operation }) => operation)).toEqual(['create', 'block']);
});
