import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import { missing } from '../../../libs/tools/test/runners.ts';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

const plugin = join(import.meta.dirname, 'support/asking-plugin.ts');

const note = await missing('bubblewrap');
let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const code = (text: string, timeoutMs?: number) => ({
  name: 'run_code',
  arguments: { code: text, description: 'Try a program', ...(timeoutMs !== undefined && { timeoutMs }) },
});

/** A session whose model makes these calls. */
async function run(name: string, toolsMode: string, ...calls: Parameters<typeof callsThenDone>): Promise<string> {
  const session = await stack.api.create({ ...scripted(stack, name, callsThenDone(...calls)), toolsMode });
  await stack.api.prompt(session, 'go');
  return session;
}

/** Enough for what a program does here. */
const LIMIT_MS = 4_000;

const dispatches = (events: readonly SessionEvent[]) =>
  events.flatMap((event) =>
    event.type === 'tool/ptc-dispatch-start'
      ? [`+${event.data.subCallId.split(':ptc:')[1]} ${event.data.name}`]
      : event.type === 'tool/ptc-dispatch'
        ? [
            `-${event.data.subCallId.split(':ptc:')[1]}${event.data.isError ? ` ${event.data.error?.code ?? 'denied'}` : ''}`,
          ]
        : [],
  );

test.concurrent('a program calls tools, gets their data, and its text is the result', async () => {
  const file = join(stack.workspace, 'a.txt');
  const session = await run(
    'data',
    'both',
    code(`
    const made: { exitCode: number } = await tools.bash({ command: 'echo one > a.txt; cat a.txt', description: 'Make a file' });
    console.log(made.exitCode, made.stdout.text);
    const found = await tools.read({ file_path: ${JSON.stringify(file)} });
    const missing = await tools.read({ file_path: '/nowhere/at/all' }).catch((e) => [e.name, e.toolName]);
    await tools.todo_write({ todos: [{ content: 'all of it', status: 'completed' }] });
    const { jobId } = await tools.bash({ command: 'echo later', description: 'Work on', run_in_background: true });
    const heard = await tools.job_output({ job_id: jobId, wait: true });
    return { missing, lines: found.totalLines, heard };
  `),
    bash('echo beside'),
  );
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toBe(
    `0 one\n\n${JSON.stringify({ missing: ['ToolCallError', 'read'], lines: 1, heard: 'later\n[status: completed, exit code: 0]' }, undefined, 2)}`,
  );
  expect(dispatches(events)).toEqual([
    '+1 bash',
    '-1',
    '+2 read',
    '-2',
    '+3 read',
    '-3 FS_NOT_FOUND',
    '+4 todo_write',
    '-4',
    '+5 bash',
    '-5',
    '+6 job_output',
    '-6',
  ]);
  expect(logLines(events).filter((line) => line.startsWith('todo'))).toEqual(['todo/write']);
  expect(resultText(events, 'call_1_2')).toBe('beside\n');
  await expectSound(stack, session);
});

test.concurrent('with programs only: run_code alone is on the wire, the others are declared, and a direct call is refused', async () => {
  const session = await run(
    'only',
    'ptc',
    bash('echo direct'),
    code('return typeof tools.run_code + typeof tools.bash'),
  );
  const events = await stack.api.turnEnded(session);
  const header = events.find((event) => event.type === 'request/header');
  const { system = '', tools = [] } = header?.type === 'request/header' ? header.data.header : {};
  expect(tools.map(({ name }) => name)).toEqual(['run_code']);
  expect(system).toContain('bash(args: { ');
  expect(system.indexOf('The only tool you can call directly')).toBeLessThan(system.indexOf('declare const tools'));
  expect(logLines(events)).toContain('tool/result call_1_1 UNKNOWN_TOOL');
  expect(resultText(events, 'call_1_1')).toContain('await tools.bash({ … })');
  expect(resultText(events, 'call_1_2')).toBe('undefinedfunction');
  await expectSound(stack, session);
});

test.concurrent('a session that calls tools natively has no run_code', async () => {
  const session = await run('native', 'native', code('return 1'));
  expect(logLines(await stack.api.turnEnded(session))).toContain('tool/result call_1_1 UNKNOWN_TOOL');
  const refused = await stack.api.call('POST', '/v1/sessions', { toolsMode: 'sometimes' });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('toolsMode');
});

test.concurrent('a hundred calls at once, and more: ten run at a time, and the answers are in order', async () => {
  const folder = join(stack.workspace, 'many');
  mkdirSync(folder);
  for (let n = 0; n < 100; n += 1) writeFileSync(join(folder, `${n}`), `${n}\n`);
  const session = await run(
    'many',
    'both',
    code(`
    const all = await Promise.all(Array.from({ length: 100 }, (_, n) => tools.read({ file_path: '${folder}/' + n })));
    const more = await Promise.all(Array.from({ length: 105 }, () => tools.read({ file_path: '${folder}/0' })));
    return all.every(({ lines }, n) => JSON.stringify(lines).includes(String(n))) && more.length === 105;
  `),
  );
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toBe('true');
  let [open, most] = [0, 0];
  for (const line of dispatches(events)) {
    open += line.startsWith('+') ? 1 : -1;
    most = Math.max(most, open);
  }
  expect([dispatches(events).length, open, most]).toEqual([410, 0, 10]);
  // More than two hundred calls are too many for one history.
  const { events: history } = await stack.client.workflow
    .getHandle(`session:${session}/program:t1.s1.c0`)
    .fetchHistory();
  expect(history?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId).toMatch(/^[0-9a-f-]{36}$/);
  await expectSound(stack, session);
});

test.concurrent('the time limit ends a program and what it called; a cancel does too', async () => {
  const waiting = `console.log('begun'); await tools.bash({ command: 'sleep 600', description: 'Wait', timeoutMs: 600000 });`;
  const late = await run('late', 'both', code(waiting, 1_500), code('for (;;) {}', 500));
  const events = await stack.api.turnEnded(late);
  expect(resultText(events, 'call_1_1')).toBe(
    'Error: code run failed (timeout): no end after 1500ms of work\nCaptured output:\nbegun',
  );
  expect(resultText(events, 'call_1_2')).toBe('Error: code run failed (timeout): no end after 500ms of work');
  expect(dispatches(events)).toEqual(['+1 bash', '-1 ABORTED']);
  await expectSound(stack, late);

  const stopped = await run('stopped', 'both', code(waiting));
  await stack.api.until(stopped, 'the call', (found) => dispatches(found).length > 0);
  await stack.api.call('POST', `/v1/sessions/${stopped}/cancel`);
  const log = await stack.api.turnEnded(stopped);
  expect(dispatches(log)).toEqual(['+1 bash', '-1 ABORTED']);
  expect(resultText(log, 'call_1_1')).toBe(
    'Error: code run failed (abort): the run was cancelled\nCaptured output:\nbegun',
  );
  expect(logLines(log).at(-1)).toBe('turn/end aborted');
  await expectSound(stack, stopped);
});

const touching = (file: string) =>
  `await tools.bash({ command: 'echo x > ${file}', description: 'Try to write' }).then((r) => r.exitCode, (e) => e.message)`;

test
  .skipIf(note)
  .concurrent(`a program escalates for its own calls, and one of its calls for itself alone${note}`, async () => {
    const asking = { sandbox_permissions: 'workspace-write', justification: 'it must' };
    const whole = code(`return [${touching('whole')}]`);
    const one = `await tools.bash({ command: 'echo x > single', description: 'Write', ...${JSON.stringify(asking)} }).then((r) => r.exitCode)`;
    const session = await stack.api.create({
      ...scripted(
        stack,
        'escalating-program',
        callsThenDone(
          { ...whole, arguments: { ...whole.arguments, ...asking } },
          code(`return [${touching('before')}, ${one}, ${touching('after')}]`),
        ),
      ),
      toolsMode: 'ptc',
      permissions: { preset: 'read-only' },
    });
    await stack.api.prompt(session, 'go');
    for (const id of ['t1.s1.c0.escalation', 't1.s1.c1.2.escalation']) {
      await stack.api.until(session, id, (events) => JSON.stringify(events).includes(id));
      const { status } = await stack.api.call('POST', `/v1/sessions/${session}/approvals/${id}`, { decision: 'allow' });
      expect(status).toBeLessThan(300);
    }
    const events = await stack.api.turnEnded(session);
    expect(JSON.parse(resultText(events, 'call_1_1'))).toEqual([0]);
    expect(JSON.parse(resultText(events, 'call_1_2'))).toEqual([1, 0, 1]);
    expect(['whole', 'before', 'single', 'after'].filter((file) => existsSync(join(stack.workspace, file)))).toEqual([
      'whole',
      'single',
    ]);
    await expectSound(stack, session);
  });

test.skipIf(note).concurrent.each(['child', 'inline'])(
  `permissions changed while a program runs, its step %s${note}`,
  async (stepIsolation) => {
    const go = join(stack.workspace, `go-${stepIsolation}`);
    const session = await stack.api.create({
      ...scripted(
        stack,
        `changed-${stepIsolation}`,
        callsThenDone(
          code(`
            await tools.bash({ command: 'while [ ! -e ${go} ]; do sleep 0.1; done', description: 'Wait' });
            return ${touching(`changed-${stepIsolation}`)};
          `),
        ),
      ),
      toolsMode: 'both',
      stepIsolation,
      permissions: { preset: 'read-only' },
    });
    await stack.api.prompt(session, 'go');
    await stack.api.until(session, 'the first call', (events) => dispatches(events).length > 0);
    const path = `/v1/sessions/${session}/permissions`;
    expect((await stack.api.call('PUT', path, { preset: 'workspace-write' })).status).toBe(202);
    await stack.api.until(session, 'the log to say it', (events) =>
      events.some(({ type, data }) => type === 'sandbox/mode' && JSON.stringify(data).includes('workspace-write')),
    );
    writeFileSync(go, '');
    expect(resultText(await stack.api.turnEnded(session), 'call_1_1')).toBe('0');
    await expectSound(stack, session);
  },
);

test('killed between two calls: the first is not made again, and the program ends as if nothing had happened', async () => {
  const [first, second] = [join(stack.workspace, 'first'), join(stack.workspace, 'second')];
  const session = await run(
    'killed',
    'both',
    code(`
    const run = (command) => tools.bash({ command, description: 'Leave a mark' });
    const before = Math.random();
    await run('echo x >> ${first}');
    const out = await run('while [ ! -e ${second} ]; do sleep 0.1; done; echo seen').catch((e) => e.message);
    await run('echo y >> ${first}');
    return { same: before === before, out };
  `),
  );
  await waitFor(() => existsSync(first), { what: 'the first call' });
  await stack.api.until(session, 'the second call', (events) => dispatches(events).includes('+2 bash'));
  await stack.worker().kill9();
  writeFileSync(second, '');
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(readFileSync(first, 'utf8')).toBe('x\ny\n');
  expect(dispatches(events)).toEqual(['+1 bash', '-1', '+2 bash', '-2 TOOL_OUTCOME_UNKNOWN', '+3 bash', '-3']);
  expect(resultText(events, 'call_1_1')).toContain('outcome is unknown');
  await expectSound(stack, session);
});

test("policy is asked about each call of a program, a person too, and their time is not the program's", async () => {
  await stack.worker().stop();
  await stack.startWorker({ EVERTURN_PLUGINS: plugin });
  const session = await run(
    'policed',
    'ptc',
    code(
      `
    const say = (word) => tools.bash({ command: 'echo ' + word, description: 'Say it' }).then((r) => r.stdout.text.trim(), (e) => e.message);
    return [await say('please-' + 'deny'), await say('please-' + 'ask'), await say('freely')];
  `,
      LIMIT_MS,
    ),
  );
  const asked = await stack.api.until(session, 'the question', (events) =>
    events.find(({ type }) => type === 'approval/asked'),
  );
  expect(asked.data).toMatchObject({ id: 't1.s1.c0.2', callId: 'call_1_1:ptc:2', toolName: 'bash' });
  await waitFor(() => Date.now() > asked.time + LIMIT_MS, { what: 'longer than the program may work' });
  await stack.api.call('POST', `/v1/sessions/${session}/approvals/t1.s1.c0.2`, { decision: 'allow' });
  const events = await stack.api.turnEnded(session);
  expect(JSON.parse(resultText(events, 'call_1_1'))).toEqual(['policy says no', 'please-ask', 'freely']);
  expect(dispatches(events)).toEqual(['+1 bash', '-1 denied', '+2 bash', '-2', '+3 bash', '-3']);
  await expectSound(stack, session);
});
