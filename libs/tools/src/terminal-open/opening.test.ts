import { expect, test } from 'vitest';
import { openWorkspace } from '../../test/workspace.ts';
import { ToolSettings } from '../kit/index.ts';

test('two that are opened at once under one name: one is', async () => {
  const workspace = await openWorkspace();
  const both = await Promise.all([1, 2].map(() => workspace.call('terminal_open', { type: 'shell', name: 'twin' })));
  expect(both.map(({ code }) => code)).toEqual([undefined, 'DUPLICATE_NAME']);
  expect(both[1]?.text).toContain('is being created');
});

test('a long name is cut, so that the result stays as small as it must be', async () => {
  const settings = ToolSettings.parse({ terminal: { maxResultBytes: 256 } });
  const args = { type: 'shell', name: '名'.repeat(1_000) };
  const { text } = await (await openWorkspace()).call('terminal_open', args, { settings });
  expect(text).toMatch(/^started terminal session pty-1 \(名{42}\) \[type: shell\]\n\(no startup output\)$/);
});

test('no more are open than may be, those being opened and those that ended among them', async () => {
  const workspace = await openWorkspace();
  const settings = ToolSettings.parse({ terminal: { maxOpen: 1 } });
  const another = () => workspace.call('terminal_open', { type: 'shell' }, { settings });
  const both = await Promise.all([another(), another()]);
  expect(both.map(({ code }) => code)).toEqual([undefined, 'TOO_MANY_TERMINALS']);
  await workspace.call('terminal_send', { sessionId: 'pty-1', text: 'exit' });
  expect((await another()).text).toBe(
    'Error: terminal limit reached for this session (limit: 1); end one with terminal_close',
  );
  await workspace.call('terminal_close', { sessionId: 'pty-1' });
  expect((await another()).text).toMatch(/^started terminal session pty-2/);
});
