import { expect, test } from 'vitest';
import { openWorkspace, type Workspace } from '../../test/workspace.ts';
import { bodies } from '../activity.ts';
import { ToolSettings, type RunningJob } from '../kit/index.ts';
import { terminalSend } from './schema.ts';

const startJob = (workspace: Workspace, args: object, overrides: object = {}): Promise<RunningJob> =>
  bodies.get('terminal_send')!.startJob!(args, workspace.context(overrides));

async function withTerminal(): Promise<Workspace> {
  const workspace = await openWorkspace();
  expect(await workspace.call('terminal_open', { type: 'shell' })).toMatchObject({ isError: false });
  return workspace;
}

test('a send as a job: what is printed is read once, and it ends when something waits for input', async () => {
  const workspace = await withTerminal();
  const job = await startJob(workspace, { sessionId: 'pty-1', text: 'read x; echo got $x; cd /usr' });
  expect(await job.outcome).toEqual({ state: 'completed', detail: 'wait: stdin_read' });
  expect(job.read()).toEqual({ text: 'read x; echo got $x; cd /usr\n' });
  const next = await startJob(workspace, { sessionId: 'pty-1', text: 'it' });
  expect(await next.outcome).toEqual({ state: 'completed', detail: 'wait: stdin_read' });
  expect(next.read().text).toBe('it\ngot it\neverturn> ');
  expect([next.read(), job.read()]).toEqual([{ text: '' }, { text: '' }]);
});

test('to cancel it interrupts what runs, and the terminal can be used again', async () => {
  const workspace = await withTerminal();
  const job = await startJob(workspace, { sessionId: 'pty-1', text: 'echo begun; sleep 600' });
  let text = '';
  await expect.poll(() => (text += job.read().text)).toContain('\nbegun\n');
  const other = await startJob(workspace, { sessionId: 'pty-1', text: 'echo no' });
  expect([await other.outcome, other.read()]).toEqual([
    { state: 'failed' },
    { text: '', stderr: 'Error: PTY session pty-1 already has an active send' },
  ]);
  job.cancel();
  expect(await job.outcome).toEqual({ state: 'killed' });
  const { text: told } = await workspace.call('terminal_send', { sessionId: 'pty-1', text: 'echo $((1+1))' });
  expect(told).toContain('\n2\n');
});

test('the end of the program and a terminal that is closed meanwhile are told', async () => {
  const workspace = await withTerminal();
  const job = await startJob(workspace, { sessionId: 'pty-1', text: 'exit 3' });
  expect(await job.outcome).toEqual({ state: 'completed', detail: 'session exited: code=3 signal=null' });
  await workspace.call('terminal_open', { type: 'shell' });
  const long = await startJob(workspace, { sessionId: 'pty-2', text: 'sleep 600' });
  await workspace.call('terminal_close', { sessionId: 'pty-2' });
  expect(await long.outcome).toMatchObject({
    state: 'completed',
    detail: expect.stringMatching(/^session exited: code=/),
  });
});

test('of much output the end is kept and the loss told', async () => {
  const workspace = await withTerminal();
  const settings = ToolSettings.parse({ terminal: { maxResultBytes: 64 } });
  const job = await startJob(workspace, { sessionId: 'pty-1', text: 'seq 1 1000' }, { settings });
  await job.outcome;
  const { text, dropped } = job.read();
  expect({ bytes: Buffer.byteLength(text), end: text.slice(-15), dropped }).toEqual({
    bytes: 64,
    end: '1000\neverturn> ',
    dropped: { files: [] },
  });
});

test('a job is named after what is typed; none is made of an unknown terminal or where none may be', async () => {
  const label = (text: string, terminal: object = {}) =>
    terminalSend.background?.label({ sessionId: 'pty-1', text } as never, ToolSettings.parse({ terminal }));
  expect([label('npm test'), label(' ')]).toEqual(['pty-1: npm test', 'pty-1: (input)']);
  const told = 'background terminal sends are disabled by tool-terminal configuration';
  expect(() => label('x', { enableRunInBackground: false })).toThrow(told);
  const workspace = await openWorkspace();
  await expect(startJob(workspace, { sessionId: 'pty-1', text: 'x' })).rejects.toThrow('unknown PTY session pty-1');
  const args = { sessionId: 'pty-1', text: 'x', run_in_background: true };
  expect((await workspace.call('terminal_send', args)).text).toBe(
    'Error: background jobs unavailable: load a job service to use run_in_background',
  );
});
