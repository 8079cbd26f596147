import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryHome } from '../../../test/confined.ts';
import { openWorkspace, temporaryDirectory, untouched } from '../../../test/workspace.ts';
import type { SandboxMode } from '@everturn/core/domain';
import { assertWritable } from './fence.ts';
import { LocalFiles } from './local-files.ts';

async function setUp() {
  const home = temporaryHome();
  const [cwd, outside] = [join(home, 'workspace'), join(home, 'outside')];
  mkdirSync(cwd);
  mkdirSync(outside);
  writeFileSync(join(outside, 'kept'), 'original');
  symlinkSync(outside, join(cwd, 'link'));
  symlinkSync(join(outside, 'kept'), join(cwd, 'file-link'));
  const { call } = await openWorkspace();
  const write = (file_path: string, mode: SandboxMode) =>
    call('write', { file_path, content: 'x' }, { cwd, sandbox: { mode, root: cwd } });
  const edit = (file_path: string, mode: SandboxMode) =>
    call('edit', { file_path, old_string: 'original', new_string: 'x' }, { cwd, sandbox: { mode, root: cwd } });
  return { home, cwd, outside, write, edit };
}

const denied = (mode: SandboxMode) => ({
  isError: true,
  code: 'FS_SANDBOX_DENIED',
  text: `Error: [sandbox: file access denied under ${mode} mode]\n[sandbox: escalation available — retry this exact operation once with sandbox_permissions (the narrowest wider mode that suffices) + justification; the approval prompt asks the user]`,
});

describe('where file tools may write', () => {
  test('read-only: nowhere', async () => {
    const { write, edit, cwd } = await setUp();
    expect(await write('f', 'read-only')).toEqual(denied('read-only'));
    expect(await edit('file-link', 'read-only')).toEqual(denied('read-only'));
    expect(readdirSync(cwd).toSorted()).toEqual(['file-link', 'link']);
  });

  test.each([
    'link/new',
    'link/deep/new',
    '../outside/new',
    'file-link',
    '../workspace-twin/f',
    '/var/tmp/everturn-no',
  ])('workspace-write: not %s', async (path) => {
    const { write, outside } = await setUp();
    expect(await write(path, 'workspace-write')).toEqual(denied('workspace-write'));
    expect(readdirSync(outside)).toEqual(['kept']);
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('original');
  });

  test('workspace-write: the workspace, new folders in it, and the temporary folder', async () => {
    const { write, cwd } = await setUp();
    expect(await write('deep/er/f', 'workspace-write')).toMatchObject({ isError: false });
    expect(readFileSync(join(cwd, 'deep/er/f'), 'utf8')).toBe('x');
    expect(await write(join(temporaryDirectory(), 'f'), 'workspace-write')).toMatchObject({ isError: false });
  });

  test('the workspace itself passes the fence and fails by its kind', async () => {
    const { write, cwd } = await setUp();
    expect(await write(cwd, 'workspace-write')).toMatchObject({ code: 'FS_NOT_REGULAR_FILE' });
  });

  test('full access: everywhere', async () => {
    const { write, outside } = await setUp();
    expect(await write('link/new', 'danger-full-access')).toMatchObject({ isError: false });
    expect(readFileSync(join(outside, 'new'), 'utf8')).toBe('x');
  });

  test('outside for the one call a person allowed, and not for the next', async () => {
    const { cwd, outside } = await setUp();
    const { call } = await openWorkspace();
    const args = { file_path: join(outside, 'new'), content: 'x' };
    const wish = { sandbox_permissions: 'danger-full-access', justification: 'it must' };
    const granted = { mode: 'danger-full-access', granted: 'danger-full-access', root: cwd } as const;
    expect(await call('write', { ...args, ...wish }, { cwd, sandbox: granted })).toMatchObject({ isError: false });
    const sandbox = { mode: 'workspace-write', root: cwd } as const;
    expect(await call('write', { ...args, content: 'y' }, { cwd, sandbox })).toEqual(denied('workspace-write'));
    expect(readFileSync(args.file_path, 'utf8')).toBe('x');
  });

  test('reading is free', async () => {
    const { home, cwd } = await setUp();
    const { call } = await openWorkspace();
    const read = await call('read', { file_path: join(home, 'outside/kept') }, { cwd, sandbox: { mode: 'read-only' } });
    expect(read.text).toContain('original');
  });
});

test('a folder that became a link after the path was resolved', async () => {
  const { cwd, outside } = await setUp();
  mkdirSync(join(cwd, 'folder'));
  writeFileSync(join(cwd, 'folder/kept'), 'inside');
  const fence = { mode: 'workspace-write', network: 'full', root: cwd, limits: {} } as const;
  const edited = new LocalFiles().edit({
    path: 'folder/kept',
    cwd,
    signal: untouched(),
    fence,
    change: ({ text }) => {
      renameSync(join(cwd, 'folder'), join(cwd, 'moved'));
      symlinkSync(outside, join(cwd, 'folder'));
      return `${text}!`;
    },
  });
  await expect(edited).rejects.toMatchObject({ code: 'FS_SANDBOX_DENIED' });
  expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('original');
  await expect(assertWritable('write', { displayPath: 'd', identity: join(cwd, 'folder/x') }, fence)).rejects.toThrow();
});
