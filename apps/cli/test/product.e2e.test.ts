import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey } from '@everturn/core/postgres';
import { waitFor } from '@everturn/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsThenDone, scripted } from '../../worker/test/support/model-scripts.ts';
import { resetSession } from '../../worker/test/support/reset-session.ts';
import { startStack, type Stack } from '../../worker/test/support/stack.ts';
import { startCli } from './run-cli.ts';

let stack: Stack;
let key: string;
beforeAll(async () => {
  stack = await startStack();
  ({ secret: key } = await createApiKey(stack.database, { tenant: stack.tenant }));
});
afterAll(() => stack?.stop());

function start(args: string[]) {
  const url = `http://127.0.0.1:${String(stack.apiProcess().ready['port'])}`;
  return startCli(args, { ...stack.environment, EVERTURN_API_URL: url, EVERTURN_API_KEY: key });
}
const cli = (...args: string[]) => start(args).ended;

const EVIL = '\u001b]52;c;cHduZWQ=\u0007\u001b]8;;http://evil/\u0007\u001b[2J\u202e';
const INERT = '␛]52;c;cHduZWQ=␇␛]8;;http://evil/␇␛[2J<U+202E>';

test('the demo job runs to its end, also when the API is killed under it; its log can be verified and rebuilt', async () => {
  const running = start(['run', '--demo']);
  await waitFor(() => running.stdout().includes('✓ grep'), { what: 'the search', timeoutMs: 60_000 });
  await stack.apiProcess().kill9();
  await stack.startApi();
  const { status, stdout, stderr } = await running.ended;
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stderr: '' });
  const lines = stdout.split('\n');
  const workspace = lines.find((line) => line.startsWith('  workspace  '))?.slice(13) ?? '';
  const session = lines.find((line) => line.startsWith('  session    '))?.slice(13) ?? '';
  for (const line of [
    '          no AI: a local HTTP server that answers from a script; tools, files and tests are real',
    'All 9 tests pass; 3 of them failed before.',
    '  result     completed',
    '  files      1 added, 3 changed',
    "      +  return `${sign}${whole}.${String(rest).padStart(2, '0')}`;",
    '    OPENAI_BASE_URL=… OPENAI_API_KEY=… npm run up -- "your prompt"',
  ]) {
    expect(lines).toContain(line);
  }
  // Nothing is missing and nothing repeated, whatever broke off.
  const starts = lines.filter((line) => line.startsWith('  ▸ ') && !line.includes('todo_write'));
  expect(starts.map((line) => line.slice(4))).toEqual([
    'glob  **/*.ts',
    'grep  ^export function',
    'read  src/money.ts',
    'read  src/order.ts',
    'read  src/due-date.ts',
    'bash  Run the tests · node --test',
    'edit  src/money.ts',
    'edit  src/order.ts',
    'edit  src/due-date.ts',
    'bash  Run the tests · node --test',
    'write  REPORT.md',
  ]);
  expect(readFileSync(join(workspace, 'REPORT.md'), 'utf8')).toContain('#');

  const verified = await cli('log', 'verify', session);
  expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining(`✓ sound  ${session}`) });
  const alter = `update session_events set data = replace(data, 'All 9', 'All 8') where session_id = $1 and type = 'assistant/message'`;
  await stack.database.pool.query(alter, [session]);
  const altered = await cli('log', 'verify', session, '--json');
  expect([altered.status, (JSON.parse(altered.stdout) as { sound: boolean }).sound]).toEqual([1, false]);
  expect(await cli('log', 'rebuild', session)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`${session}: 1 event restored`),
  });
  expect((await cli('log', 'verify', session)).status).toBe(0);
});

test('Ctrl-C cancels the turn and leaves the session at rest', async () => {
  stack.model.script('held', () => ({ text: ['thinking', ' on'], hold: { gate: 'cancel', afterDeltas: 1 } }));
  const running = start(['run', 'go', '--model', 'held']);
  await waitFor(() => running.stdout().includes('thinking'), { what: 'the first words', timeoutMs: 30_000 });
  running.signal('SIGINT');
  const { status, stdout } = await running.ended;
  expect({ status, stdout }).toEqual({ status: 130, stdout: expect.stringContaining('  result     cancelled\n') });
  stack.model.release('cancel');
});

test('control sequences of a file and of the model reach no terminal', async () => {
  writeFileSync(join(stack.workspace, 'evil.txt'), `${EVIL}\n`);
  stack.model.script('evil', ({ results }) =>
    results.length === 0
      ? { toolCalls: [{ name: 'bash', arguments: { command: 'cat evil.txt', description: `Show ${EVIL}` } }] }
      : { text: `It says ${results[0]?.content}` },
  );
  const { status, stdout } = await cli('run', 'read it', '--model', 'evil', '-w', stack.workspace);
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(`It says ${INERT}`) });
  expect(stdout).toContain(`  ✓ bash  Show ${INERT} · cat evil.txt  → ${INERT}  `);
  expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  const session = /^ {2}session {4}(\S+)$/m.exec(stdout)?.[1] ?? '';
  for (const args of [['events', session], ['events', session, '--json'], ['session', 'show', session], ['sessions']]) {
    const shown = await cli(...args);
    expect(shown).toMatchObject({ status: 0, stderr: '' });
    expect(shown.stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  }
});

test('a session is gone on with, closed, and reopened', async () => {
  const first = await cli('run', 'one', '--model', 'scripted-echo', '--json');
  const { session, answer } = JSON.parse(first.stdout) as { session: string; answer: string };
  expect(answer).toBe('one');
  const second = await cli('run', 'two', '-s', session, '--json');
  expect(JSON.parse(second.stdout)).toMatchObject({ session, turn: 2, answer: 'two', reason: { kind: 'completed' } });
  expect((await cli('session', 'close', session)).status).toBe(0);
  const show = async () => JSON.parse((await cli('session', 'show', session, '--json')).stdout) as { status: string };
  await waitFor(async () => (await show()).status === 'closed', { what: 'the close' });
  expect(await cli('run', 'three', '-s', session)).toEqual({
    status: 1,
    stdout: '',
    stderr: `everturn: SESSION_CLOSED: session "${session}" is closed; POST /v1/sessions/${session}/resume reopens it\n`,
  });
  expect((await cli('session', 'resume', session)).status).toBe(0);
  const third = await cli('run', 'three', '-s', session, '--json');
  expect(JSON.parse(third.stdout)).toMatchObject({ session, answer: 'three', reason: { kind: 'completed' } });

  const types = await cli('events', session, '--types', 'turn/end', '--json');
  expect(
    types.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { data: object }).data),
  ).toEqual([1, 2, 3].map((turn) => ({ turn, reason: { kind: 'completed' } })));
  const following = start(['events', session, '--follow', '--no-chunks', '--types', 'user/message']);
  await waitFor(() => following.stdout().includes('three'), { what: 'the replay' });
  expect((await cli('run', 'four', '-s', session, '--json')).status).toBe(0);
  await waitFor(() => following.stdout().includes('four'), { what: 'what is appended' });
  following.signal('SIGTERM');
  await following.ended;

  await resetSession(stack, session);
  expect(await show()).toMatchObject({ status: 'broken' });
  expect((await cli('session', 'recover', session)).status).toBe(0);
  const last = await cli('run', 'five', '-s', session, '--json');
  expect(JSON.parse(last.stdout)).toMatchObject({ session, answer: 'five', reason: { kind: 'completed' } });
});

test('what waits is shown and answered, and plan mode, permissions and commands are at hand', async () => {
  const exit = { name: 'exit_plan_mode', arguments: { plan: '# Rename it' } };
  const options = scripted(stack, 'from-the-shell', callsThenDone(exit));
  const session = await stack.api.create({ ...options, planMode: true, prompt: 'go' });
  const shown = await waitFor(
    async () => {
      const { stdout } = await cli('interactions', session);
      return stdout.includes('plan-review') && stdout;
    },
    { what: 'the review', timeoutMs: 60_000, everyMs: 300 },
  );
  expect(shown.split('\n').slice(1)).toEqual([
    '  # Rename it',
    '  plan-review: Shall this plan be carried out?',
    '    - Approve',
    '    - Keep planning',
    expect.stringContaining(`everturn answer ${session} --id `),
    '',
  ]);
  expect(await cli('plan', session)).toMatchObject({ status: 0, stdout: 'plan mode is on\n' });
  const wrong = await cli('answer', session, '--select', 'plan-review=Maybe');
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('ANSWER_REFUSED')]);
  expect(await cli('approve', session)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no approval waits'),
  });
  expect(await cli('answer', session, '--select', 'plan-review=Approve')).toMatchObject({ status: 0 });
  await stack.api.turnEnded(session);
  expect(await cli('permissions', session, '--preset', 'read-only')).toMatchObject({ status: 0 });
  const [plan, command] = await Promise.all([cli('plan', session), cli('command', session, '/permission')]);
  expect(plan.stdout).toBe('plan mode is off\n');
  expect(command.stdout).toContain('current preset read-only');
  await stack.api.turnEnded(session, 2);
  expect((await cli('permissions', session)).stdout).toContain('read-only: sandbox read-only, approval ask');
});

test('a schedule and a reminder are made, shown, fired and deleted from the shell', async () => {
  const session = await stack.api.create(scripted(stack, 'timed', () => ({ text: 'done' })));
  const times = ['--cron', '0 3 * * *', '--time-zone', 'Europe/Berlin'];
  const [made, wrong] = await Promise.all([
    cli('schedules', 'create', 'nightly', 'tidy up', ...times, '-s', session, '--paused', '--note', `no${EVIL}`),
    cli('schedules', 'create', 'x', 'p', '--cron', 'every day'),
  ]);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout.split('\n').map((line) => line.trim().replace(/ {2,}/, ' '))).toEqual(
    expect.arrayContaining([`state paused (no${INERT})`, 'prompt tidy up', `goes to ${session}`, 'overlap skip']),
  );
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringMatching(/^everturn: INVALID_REQUEST: .*times/)]);
  const [fired, reminded] = await Promise.all([
    cli('schedules', 'trigger', 'nightly', '--json'),
    cli('reminders', 'create', session, 'tea', '--at', '2999-01-01T09:00', '--time-zone', 'Europe/Berlin'),
  ]);
  expect(JSON.parse(fired.stdout)).toMatchObject({ id: 'nightly', paused: true });
  expect(reminded).toMatchObject({ status: 0, stdout: 'schedule-1: due 2999-01-01T08:00:00.000Z\n' });
  await stack.api.turnEnded(session);
  // Temporal's own list lags behind.
  await waitFor(async () => (await cli('schedules', 'list')).stdout.includes('nightly'), { what: 'it to be listed' });
  const { stdout: reminders } = await cli('reminders', 'list', session);
  expect(reminders).toMatch(/schedule-1 +scheduled +2999-01-01T08:00:00.000Z +once +tea/);
  const ended = await Promise.all([
    cli('schedules', 'delete', 'nightly'),
    cli('reminders', 'delete', session, 'schedule-1'),
  ]);
  expect(ended.map(({ stdout }) => stdout)).toEqual(['deleted: nightly\n', 'deleted: schedule-1\n']);
  expect((await cli('schedules', 'show', 'nightly')).stderr).toContain('SCHEDULE_NOT_FOUND');
});
