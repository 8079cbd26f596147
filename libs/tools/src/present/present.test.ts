import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkspace, temporaryDirectory } from '../../test/workspace.ts';
import { runCall, ToolSettings } from '../kit/index.ts';
import { executePresent } from './execute.ts';

test('files are named as they were given, one a line, and an event of the call says so', async () => {
  const { cwd, context } = await openWorkspace();
  const outside = join(temporaryDirectory(), 'b.pdf');
  writeFileSync(join(cwd, 'a.md'), '');
  writeFileSync(outside, '');
  const files = [{ path: 'a.md', description: 'the report' }, { path: outside }];
  const result = await runCall({ body: executePresent, args: { files }, context: context() });
  expect(result).toEqual({
    content: [{ type: 'text', text: `Presented a.md\nPresented ${outside}` }],
    isError: false,
    events: [{ type: 'deliverables/presented', data: { turn: 1, callId: 'call-1', files } }],
  });
  const nested = await runCall({
    body: executePresent,
    args: { files },
    context: { ...context(), parent: 'p' as never },
  });
  expect({ value: nested.value, events: nested.events }).toEqual({ value: { turn: 1, files }, events: result.events });
});

test.each([
  ['link.md', undefined, 'Error: Cannot present link.md: not a regular file'],
  ['dangling.md', undefined, 'Error: Cannot present dangling.md: not a regular file'],
  ['folder', undefined, 'Error: Cannot present folder: not a regular file'],
  ['pipe', undefined, 'Error: Cannot present pipe: not a regular file'],
  ['none.md', 'FS_NOT_FOUND', 'Error: Cannot present none.md: not found'],
  [' ', undefined, 'Error: each path must be a non-empty string'],
])('"%s" is not handed over, nor is what stands beside it', async (path, code, text) => {
  const { cwd, context } = await openWorkspace();
  writeFileSync(join(cwd, 'a.md'), '');
  mkdirSync(join(cwd, 'folder'));
  symlinkSync('a.md', join(cwd, 'link.md'));
  symlinkSync('nowhere', join(cwd, 'dangling.md'));
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const args = { files: [{ path: 'a.md' }, { path }] };
  const result = await runCall({ body: executePresent, args, context: context() });
  expect(result.content).toEqual([{ type: 'text', text }]);
  expect([result.error?.code, result.events]).toEqual([code, undefined]);
});

test('a file below a linked folder is regular all the same', async () => {
  const { cwd, call } = await openWorkspace();
  mkdirSync(join(cwd, 'real'));
  writeFileSync(join(cwd, 'real/a.md'), '');
  symlinkSync('real', join(cwd, 'alias'));
  expect((await call('present', { files: [{ path: 'alias/a.md' }] })).isError).toBe(false);
});

test('nothing is handed over where there is no workspace', async () => {
  const { cwd, call } = await openWorkspace();
  const args = { files: [{ path: join(cwd, 'a.md') }] };
  writeFileSync(join(cwd, 'a.md'), '');
  const lost = await call('present', args, { cwd: join(cwd, 'a.md') });
  expect(lost).toEqual({ text: 'Error: present requires a workspace', isError: true });
});

test('one to four files, or as many as the deployment allows', async () => {
  const { cwd, call } = await openWorkspace();
  const files = ['1', '2', '3', '4', '5'].map((path) => ({ path }));
  for (const { path } of files) writeFileSync(join(cwd, path), '');
  expect((await call('present', { files: [] })).text).toBe('Error: files must name at least one file');
  expect((await call('present', { files: files.slice(0, 4) })).isError).toBe(false);
  expect((await call('present', { files })).text).toBe('Error: files must name at most 4 files');
  const settings = ToolSettings.parse({ present: { maxFiles: 5 } });
  expect((await call('present', { files }, { settings })).isError).toBe(false);
  expect((await call('present', { files: [{ path: '1', extra: 1 }] })).code).toBe('INVALID_ARGS');
});
