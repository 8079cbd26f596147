import { catalog, toolKey } from '@everturn/tools/catalog';
import { expect, test, vi } from 'vitest';
import { Context } from './platform/context.ts';
import { exitStatusOf } from './platform/exit-status.ts';
import { explain } from './platform/explain.ts';
import { createProgram } from './program.ts';

async function told(args: string[]): Promise<{ line?: string; status: number }> {
  try {
    await createProgram(new Context()).parseAsync(args, { from: 'user' });
    return { status: 0 };
  } catch (error) {
    const { line, status } = explain(error);
    return { status, ...(line !== undefined && { line }) };
  }
}

const noPrompt = 'CLI_USAGE: there is no prompt → say what to do: everturn run "your prompt", or everturn run --demo';

test.each([
  [['run'], noPrompt],
  [['run', ' '], noPrompt],
  [['run', 'x', '--demo'], 'CLI_USAGE: --demo brings its own prompt → leave one of the two out'],
  [['run', 'x', '-s', 'a', '--model', 'm'], 'CLI_USAGE: --model is for new sessions → leave out --session, or that'],
  [['run', 'x', '--nope\u001b[2J'], "CLI_USAGE: unknown option '--nope␛[2J' → see --help"],
  [['run', 'x', 'y'], "CLI_USAGE: too many arguments for 'run'. Expected 1 argument but got 2. → see --help"],
  [['answer', 's'], 'CLI_USAGE: there is no answer → say --select question=label, --text question=words or --dismiss'],
  [
    ['plan', 's', 'maybe'],
    "CLI_USAGE: command-argument value 'maybe' is invalid for argument 'state'. Allowed choices are on, off. → see --help",
  ],
  [
    ['schedules', 'create', 'a', 'p', '--every', '1h'],
    'CLI_USAGE: --every 1h is no number of seconds → give a whole number, such as 3600',
  ],
  [
    ['schedules', 'create', 'a', 'p', '--calendar', '{hour'],
    `CLI_USAGE: --calendar {hour is no JSON → write for example --calendar '{"hour": 9}'`,
  ],
  [
    ['schedules', 'create', 'a', 'p', '--cron', '* * * * *', '-s', 'x', '--model', 'm'],
    'CLI_USAGE: --model is for new sessions → leave out --session, or that',
  ],
  [['schedules', 'backfill', 'a'], "CLI_USAGE: required option '--start <instant>' not specified → see --help"],
  [
    ['reminders', 'create', 's', 'p'],
    'CLI_USAGE: when it is due is not clear → say exactly one of --after, --every, --at',
  ],
  [
    ['reminders', 'create', 's', 'p', '--after', '5', '--time-zone', 'UTC'],
    'CLI_USAGE: --time-zone says where --at is read → give --at, or leave it out',
  ],
  [['frobnicate'], "CLI_USAGE: unknown command 'frobnicate' → see --help"],
  [['keys', 'create'], "CLI_USAGE: required option '-t, --tenant <tenant>' not specified → see --help"],
  [
    ['keys', 'create', '-t', 'a b'],
    "CLI_USAGE: option '-t, --tenant <tenant>' argument 'a b' is invalid. tenant: TenantId must match ^[A-Za-z0-9._-]{1,128}$ → see --help",
  ],
  [['log', 'verify', 'a/b'], expect.stringMatching(/^CLI_USAGE: .*session: SessionId must match/) as string],
])('%j is told in one line', async (args, line) => {
  expect(await told(args)).toEqual({ status: 2, line });
});

test('every command has help', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  for (const command of [
    '',
    'run',
    'sessions',
    'events',
    'interactions',
    'approve',
    'answer',
    'plan',
    'permissions',
    'command',
    'session show',
    'session recover',
    'schedules list',
    'schedules show',
    'schedules create',
    'schedules pause',
    'schedules resume',
    'schedules trigger',
    'schedules backfill',
    'schedules delete',
    'reminders list',
    'reminders create',
    'reminders delete',
    'keys create',
    'log verify',
    'tools',
    'doctor',
  ]) {
    write.mockClear();
    expect(await told([...command.split(' ').filter(Boolean), '--help'])).toEqual({ status: 0 });
    expect(write.mock.calls.join('')).toContain(`Usage: everturn ${command}`.trimEnd());
  }
  write.mockRestore();
});

test('every tool is printed with its name and its schema', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await told(['tools', '--json'])).toEqual({ status: 0 });
  const printed = JSON.parse(write.mock.calls.join('')) as { key: string }[];
  write.mockRestore();
  expect(printed.map(({ key }) => key)).toEqual(catalog.map(toolKey));
  expect(printed.find(({ key }) => key === 'read')).toMatchObject({
    name: 'read',
    description: expect.any(String) as string,
    parameters: { type: 'object', required: ['file_path'] },
  });
});

test('the exit status tells how a turn ended', () => {
  const kinds = ['completed', 'error', 'max-tokens', 'rejected', 'interrupted', 'disposed', 'aborted', 'of-a-plugin'];
  expect(kinds.map((kind) => exitStatusOf({ kind } as never))).toEqual([0, 1, 3, 4, 5, 6, 7, 1]);
});
