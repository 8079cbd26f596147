import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { heldByWorker } from './support/held-by-worker.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

/** Whether a process was started with this mark; its number inside the sandbox says nothing out here. */
const isAlive = (mark: string): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      // A zombie has no environment any more.
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`MARK=${mark}\0`);
    } catch {
      return false;
    }
  });

test('a set that nobody has is refused by name', async () => {
  const { status, body } = await stack.api.call('POST', '/v1/sessions', { toolsets: ['terminal', 'nope'] });
  expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'UNKNOWN_TOOLSET' });
  expect(body['message']).toMatch(/^body\.toolsets\[1\]: no set of tools is named "nope"; there are: .*terminal/);
});

test('terminals and a kept shell last from turn to turn, die with their worker, are told as gone, and end with the session', async () => {
  const terminal = (name: string, args: Record<string, string>) => ({ name: `terminal_${name}`, arguments: args });
  const shell = (command: string) => ({ name: 'bash', arguments: { command } });
  const typed = (text: string) => terminal('send', { sessionId: 'pty-1', text });
  const [first, second] = [randomUUID(), randomUUID()];
  const background = (mark: string) => `(trap '' TERM HUP; export MARK=${mark}; while :; do sleep 100; done) &`;
  const scripts: Record<string, { name: string; arguments: Record<string, string> }[]> = {
    one: [
      terminal('open', { type: 'shell' }),
      typed('X=kept'),
      shell('mkdir sub && cd sub && Y=kept'),
      typed(background(first)),
    ],
    two: [typed('echo $X'), shell('echo $Y in ${PWD##*/}')],
    three: [typed('echo $X'), terminal('list', {}), shell('echo [$Y] in ${PWD##*/}')],
    four: [terminal('open', { type: 'shell' }), shell(background(second))],
  };
  const options = scripted(stack, 'terminals', ({ lastUser, messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'done' } : { toolCalls: scripts[lastUser] ?? [] },
  );
  const session = await stack.api.create({ ...options, toolsets: ['terminal', 'persistent-shell'] });
  const held = () => heldByWorker(stack.worker().pid);
  const alive = (mark: string) => waitFor(() => isAlive(mark), { what: 'what was left running' });
  let turns = 0;
  const turn = async (prompt: string) => {
    const seen = turns === 0 ? 0 : (await stack.api.events(session)).length;
    await stack.api.prompt(session, prompt);
    const events = (await stack.api.turnEnded(session, (turns += 1))).slice(seen);
    expect(logLines(events).at(-1)).toBe('turn/end completed');
    return events.flatMap((event) => (event.type === 'tool/result' ? [resultText([event], event.data.callId)] : []));
  };
  expect((await turn('one'))[0]).toBe('started terminal session pty-1 [type: shell]\n(no startup output)');
  expect(await turn('two')).toEqual([expect.stringContaining('\nkept\n'), 'kept in sub']);
  await alive(first);

  await stack.worker().kill9();
  await stack.startWorker();
  expect(isAlive(first)).toBe(false);
  expect(await turn('three')).toEqual([
    'Error: unknown PTY session pty-1: it was closed, or ended with the worker that held it',
    '(no terminal sessions)',
    expect.stringMatching(/^\[the shell of the calls before is gone[^\n]*\]\n\[\] in (?!sub)/),
  ]);
  await turn('four');
  await alive(second);
  // One of them is the kept shell's.
  expect(held()).toEqual({ terminals: 2, sessions: expect.arrayContaining([session]) });
  const path = `/v1/sessions/${session}/permissions`;
  const refused = await stack.api.call('PUT', path, { sandboxMode: 'read-only' });
  expect([refused.status, refused.body['code'], refused.body['message']]).toEqual([
    409,
    'TERMINALS_OPEN',
    expect.stringMatching(
      /from "[a-z-]+" to "read-only" while .*\(the kept shell of bash, pty-2\).*; close them first$/,
    ),
  ]);
  const command = await stack.api.call('POST', `/v1/sessions/${session}/prompts`, { content: '/permission read-only' });
  expect([command.status, command.body['code'], command.body['message']]).toEqual([
    400,
    'COMMAND_ERROR',
    refused.body['message'],
  ]);
  expect((await stack.api.call('DELETE', `/v1/sessions/${session}`)).status).toBe(202);
  await waitFor(async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'] === 'closed', {
    what: 'the session to close',
    timeoutMs: 30_000,
  });
  expect(isAlive(second)).toBe(false);
  await waitFor(() => held().terminals === 0, { what: 'the worker to hold no terminal' });
  expect(held().sessions).not.toContain(session);
  await expectSound(stack, session);
});
