import { expect, test } from 'vitest';
import { openWorkspace } from '../../test/workspace.ts';
import { ToolSettings } from '../kit/index.ts';

/** More than a terminal takes that nobody reads. */
const MUCH = 'words that nobody reads\n'.repeat(8_000);

test('text that a program does not read ends with the time of the send or its cancel, and other terminals go on', async () => {
  const { call } = await openWorkspace();
  const shortly = ToolSettings.parse({ terminal: { sendTimeoutMs: 700 } });
  const send = (sessionId: string, text: string, overrides: object = {}) =>
    call('terminal_send', { sessionId, text }, overrides);
  for (let terminal = 0; terminal < 2; terminal++) await call('terminal_open', { type: 'shell' });
  await send('pty-1', 'stty -echo; echo be""gun; exec sleep 600', { settings: shortly });
  await expect.poll(async () => (await call('terminal_read', { sessionId: 'pty-1' })).text).toContain('begun');

  const deaf = send('pty-1', MUCH, { settings: shortly });
  expect((await send('pty-2', 'echo $((1+1))')).text).toContain('\n2\n');
  expect(await deaf).toEqual({
    isError: true,
    text: 'Error: the program in pty-1 does not read: within 700ms it took only part of the text, and the rest was dropped. terminal_signal can interrupt it',
  });

  const stop = new AbortController();
  const cancelled = send('pty-1', MUCH, { signal: stop.signal });
  expect((await send('pty-2', 'echo $((2+2))')).text).toContain('\n4\n');
  stop.abort();
  expect(await cancelled).toMatchObject({ code: 'ABORTED' });
  expect((await call('terminal_close', { sessionId: 'pty-1' })).isError).toBe(false);
});
