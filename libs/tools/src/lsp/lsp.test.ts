import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { hover, openDemo } from '../../test/scripted-server.ts';
import { temporaryDirectory } from '../../test/workspace.ts';
import { runCall } from '../kit/index.ts';
import { executeLsp } from './execute.ts';
import { lsp } from './schema.ts';

const position = (line: number, character: number) => ({ line, character });
const range = (line: number, character: number) => ({
  start: position(line, character),
  end: position(line, character + 1),
});

test('the question is zero-based, about the file as it is, with the document closed again', async () => {
  const { call, noted, cwd } = await openDemo({ answers: { 'textDocument/references': null } });
  expect(await call('lsp', { operation: 'findReferences', file_path: 'a.demo', line: 3, character: 7 })).toEqual({
    text: 'No results.',
    isError: false,
  });
  const uri = pathToFileURL(join(cwd, 'a.demo')).href;
  expect(noted('ask')).toEqual([
    `textDocument/references ${JSON.stringify({ textDocument: { uri }, position: position(2, 6), context: { includeDeclaration: true } })}`,
  ]);
  expect(noted('open')).toEqual([JSON.stringify('let s = "🚀";')]);
  await vi.waitFor(() => expect(noted('close').length).toBe(1), 30_000);
});

test('nothing to say of a place, and a session whose folder is gone', async () => {
  const { call } = await openDemo({ answers: { 'textDocument/hover': null } });
  expect((await call('lsp', hover('a.demo'))).text).toBe('No hover information.');
  expect(await call('lsp', hover('a.demo'), { cwd: '/nowhere' })).toMatchObject({ code: 'LSP_WORKSPACE_REQUIRED' });
});

test('places are grouped by file: relative inside, absolute outside, as they came where they name no file', async () => {
  const inside = (cwd: string, name: string) => pathToFileURL(join(cwd, name)).href;
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'a.demo'), '');
  const locations = [
    { uri: inside(cwd, 'b c.demo'), range: range(0, 0) },
    { targetUri: 'file:///elsewhere/x.demo', targetRange: range(0, 0), targetSelectionRange: range(4, 2) },
    { uri: inside(cwd, 'b c.demo'), range: range(9, 1) },
    { uri: 'demo:virtual', range: range(1, 1) },
    { uri: 'file:///%zz', range: range(1, 1) },
    { uri: pathToFileURL(cwd).href, range: range(0, 0) },
  ];
  const { call } = await openDemo({ answers: { 'textDocument/definition': locations } });
  const args = { operation: 'goToDefinition', file_path: 'a.demo', line: 1, character: 1 };
  expect((await call('lsp', args, { cwd })).text.split('\n')).toEqual([
    'b c.demo:1:1',
    'b c.demo:10:2',
    '/elsewhere/x.demo:5:3',
    'demo:virtual:2:2',
    'file:///%zz:2:2',
    '.:1:1',
  ]);
});

test('a hundred places are shown, and programs get all', async () => {
  const many = Array.from({ length: 130 }, (_, line) => ({ uri: 'file:///x.demo', range: range(line, 0) }));
  const { call, context } = await openDemo({ answers: { 'textDocument/definition': many } });
  const args = { operation: 'goToDefinition', file_path: 'a.demo', line: 1, character: 1 };
  const lines = (await call('lsp', args)).text.split('\n');
  expect([lines.length, lines.at(-1)]).toEqual([101, '… 30 more location(s) omitted (limit 100).']);
  const nested = await runCall({ body: executeLsp, args, context: { ...context(), parent: 'p' as never } });
  expect((nested.value as { locations: unknown[] }).locations.length).toBe(130);
});

test('a long hover is cut and says so', async () => {
  const { call } = await openDemo({ answers: { 'textDocument/hover': { contents: 'x'.repeat(20_000) } } });
  const { text } = await call('lsp', hover('a.demo'));
  expect(text.length).toBe(16_000);
  expect(text).toMatch(/x\n… truncated \(limit 16000 characters\)\.$/);
});

test.each([
  [{ file_path: ' ' }, 'file_path must be a non-empty string'],
  [{ line: 0 }, 'line must be a positive integer (one-based)'],
  [{ line: 1.5 }, 'line must be a positive integer (one-based)'],
  [{ character: -1 }, 'character must be a positive integer (one-based)'],
])('refuses %j before anything is started', async (wrong, message) => {
  const { call, noted } = await openDemo();
  expect(await call('lsp', { ...hover('a.demo'), ...wrong })).toEqual({ text: `Error: ${message}`, isError: true });
  expect(await call('lsp', { ...hover('a.demo'), operation: 'rename' })).toMatchObject({ code: 'INVALID_ARGS' });
  expect(noted('start')).toEqual([]);
});

test('a file nobody reads, and one that cannot be read', async () => {
  const { call, cwd, noted } = await openDemo();
  for (const name of ['x.py', '.demo', 'noextension', 'A.DEMO']) writeFileSync(join(cwd, name), 'x');
  expect(await call('lsp', hover('x.py'))).toEqual({
    text: 'Error: no LSP provider handles "x.py"',
    isError: true,
    code: 'LSP_UNAVAILABLE',
  });
  expect((await call('lsp', hover('.demo'))).code).toBe('LSP_UNAVAILABLE');
  expect((await call('lsp', hover('noextension'))).code).toBe('LSP_UNAVAILABLE');
  expect((await call('lsp', hover('A.DEMO'))).isError).toBe(false);
  execFileSync('mkfifo', [join(cwd, 'pipe.demo')]);
  mkdirSync(join(cwd, 'folder.demo'));
  writeFileSync(join(cwd, 'binary.demo'), Buffer.from([0xff, 0xfe, 0xfd]));
  writeFileSync(join(cwd, 'big.demo'), 'x'.repeat(4_000_001));
  const codes = ['pipe.demo', 'folder.demo', 'none.demo', 'binary.demo'].map(
    async (name) => (await call('lsp', hover(name))).code,
  );
  expect(await Promise.all(codes)).toEqual([
    'FS_NOT_REGULAR_FILE',
    'FS_NOT_REGULAR_FILE',
    'FS_NOT_FOUND',
    'FS_NOT_TEXT',
  ]);
  expect((await call('lsp', hover('big.demo'))).text).toContain('more than 4000000');
  expect(noted('open')).toEqual([JSON.stringify('x')]);
});

test('a source outside the workspace is refused, through a link as well', async () => {
  const { call, cwd } = await openDemo();
  const elsewhere = join(temporaryDirectory(), 'b.demo');
  writeFileSync(elsewhere, 'x');
  symlinkSync(elsewhere, join(cwd, 'link.demo'));
  for (const path of [elsewhere, 'link.demo', '../b.demo'])
    expect((await call('lsp', hover(path))).text).toContain('it lies outside the workspace');
});

test('a question that is never answered ends with the budget of the tool', async () => {
  const { context } = await openDemo({ fault: 'polite' });
  const hasty = { ...executeLsp, definition: { ...lsp, timeoutMs: 500 } };
  const { error } = await runCall({ body: hasty, args: hover('a.demo'), context: context() });
  expect(error?.code).toBe('TOOL_TIMEOUT');
  expect(lsp.timeoutMs).toBe(60_000);
});
