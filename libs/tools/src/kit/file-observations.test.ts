import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorkspace, readBeforeWrite, type CallSummary } from '../../test/workspace.ts';
import { executeTool } from '../activity.ts';

/** A workspace whose calls obey read-before-write, for one session or, with `as`, for another. */
async function guarded() {
  const { cwd, call, context } = await openWorkspace();
  const alice = readBeforeWrite();
  const path = (name: string) => join(cwd, name);
  const tool = (name: string, args: object, as = alice): Promise<CallSummary> => call(name, args, { filePolicy: as });
  return {
    cwd,
    path,
    context,
    alice,
    read: (file: string, args: object = {}) => tool('read', { file_path: file, ...args }),
    write: (file: string, content: string, as = alice) => tool('write', { file_path: file, content }, as),
    edit: (file: string, old_string: string, new_string: string, as = alice) =>
      tool('edit', { file_path: file, old_string, new_string }, as),
    editor: (args: object, as = alice) => tool('str_replace_editor', args, as),
    text: (file: string) => readFileSync(path(file), 'utf8'),
  };
}

const refused = (code: string, text: string) => ({ isError: true, code, text: `Error: ${text}` });
const READ_FIRST = ' — read the file, then retry';
const RE_READ = ' — re-read the file, then retry';

describe('a file never seen', () => {
  test('may be created, not replaced and not edited', async () => {
    const { path, write, edit, text } = await guarded();
    writeFileSync(path('old'), 'old');
    expect(await write('new', 'x')).toMatchObject({ isError: false });
    expect(await write('old', 'x')).toEqual(
      refused('FS_NOT_OBSERVED', `cannot overwrite existing "${path('old')}" without reading it first${READ_FIRST}`),
    );
    expect(await edit('old', 'old', 'new')).toEqual(
      refused('FS_NOT_OBSERVED', `edit requires reading "${path('old')}" first${READ_FIRST}`),
    );
    expect(text('old')).toBe('old');
  });

  test('is not seen by listing or searching it, nor by another session', async () => {
    const { path, edit, context, read, alice, text } = await guarded();
    writeFileSync(path('f'), 'needle');
    for (const [name, pattern] of [
      ['glob', '*'],
      ['grep', 'needle'],
    ] as const)
      await executeTool({ name, args: { pattern }, context: context({ filePolicy: alice }) });
    expect(await edit('f', 'needle', 'x')).toMatchObject({ code: 'FS_NOT_OBSERVED' });
    await read('f');
    expect(await edit('f', 'needle', 'x', readBeforeWrite())).toMatchObject({ code: 'FS_NOT_OBSERVED' });
    expect(text('f')).toBe('needle');
  });
});

describe('a file that was seen', () => {
  test('through any name and window may be changed, again and again', async () => {
    const { path, read, write, edit, text } = await guarded();
    writeFileSync(path('f'), 'one\ntwo\nthree\n');
    symlinkSync('f', path('link'));
    await read('link', { offset: 2, limit: 1 });
    expect(await edit('f', 'one', '1')).toMatchObject({ isError: false });
    expect(await edit('link', 'two', '2')).toMatchObject({ isError: false });
    expect(await write('f', 'all new')).toMatchObject({ isError: false });
    expect(await edit('f', 'all', 'nothing')).toMatchObject({ isError: false });
    expect(text('f')).toBe('nothing new');
  });

  test('and changed since is stale, before any matching, even when size and time were put back', async () => {
    const { path, read, write, edit, text } = await guarded();
    writeFileSync(path('f'), 'aaaa');
    await read('f');
    const { atime, mtime } = statSync(path('f'));
    writeFileSync(path('f'), 'bbbb');
    utimesSync(path('f'), atime, mtime);
    const stale = (verb: string) =>
      refused('FS_STALE_VERSION', `cannot ${verb} "${path('f')}": file changed since it was read${RE_READ}`);
    expect(await edit('f', 'nowhere in it', 'x')).toEqual(stale('edit'));
    expect(await write('f', 'x')).toEqual(stale('write'));
    expect(text('f')).toBe('bbbb');
    await read('f');
    expect(await edit('f', 'bbbb', 'x')).toMatchObject({ isError: false });
  });

  test('and is gone is stale; once that was seen, it may be created and not edited', async () => {
    const { path, read, write, edit, text } = await guarded();
    writeFileSync(path('f'), 'x');
    await read('f');
    rmSync(path('f'));
    const stale = (verb: string) =>
      refused('FS_STALE_VERSION', `cannot ${verb} "${path('f')}": file no longer exists${RE_READ}`);
    expect(await write('f', 'y')).toEqual(stale('write'));
    expect(await edit('f', 'x', 'y')).toEqual(stale('edit'));
    expect(await read('f')).toMatchObject({ code: 'FS_NOT_FOUND' });
    expect(await edit('f', 'x', 'y')).toEqual(refused('FS_NOT_FOUND', `cannot edit "${path('f')}": not found`));
    expect(await write('f', 'y')).toMatchObject({ isError: false });
    expect(await edit('f', 'y', 'z')).toMatchObject({ isError: false });
    expect(text('f')).toBe('z');
  });

  test('but could not be read does not count as seen', async () => {
    const { path, read, write } = await guarded();
    writeFileSync(path('f'), 'a\0b');
    expect(await read('f')).toMatchObject({ code: 'FS_NOT_TEXT' });
    expect(await read('f', { offset: 7 })).toMatchObject({ isError: true });
    expect(await write('f', 'x')).toMatchObject({ code: 'FS_NOT_OBSERVED' });
  });

  test('by the editor counts, and the editor obeys, too', async () => {
    const { path, editor, edit, text } = await guarded();
    writeFileSync(path('f'), 'one\n');
    const replace = { command: 'str_replace', path: path('f'), old_str: 'one', new_str: '1' };
    expect(await editor(replace)).toEqual(
      refused('FS_NOT_OBSERVED', `edit requires reading "${path('f')}" first${READ_FIRST}`),
    );
    await editor({ command: 'view', path: path('f') });
    expect(await editor(replace)).toMatchObject({ isError: false });
    expect(await editor({ command: 'insert', path: path('f'), insert_line: 0, new_str: '0' })).toMatchObject({
      isError: false,
    });
    expect(await edit('f', '1', 'I')).toMatchObject({ isError: false });
    expect(text('f')).toBe('0\nI\n');
  });
});

test('two sessions on one version: the second change is stale', async () => {
  const { path, read, edit, context, text } = await guarded();
  const bob = readBeforeWrite();
  writeFileSync(path('f'), '0');
  await read('f');
  await executeTool({ name: 'read', args: { file_path: 'f' }, context: context({ filePolicy: bob }) });
  const results = await Promise.all([edit('f', '0', 'alice'), edit('f', '0', 'bob', bob)]);
  expect(new Set(results.map(({ code }) => code))).toEqual(new Set(['FS_STALE_VERSION', undefined]));
  expect(text('f')).toBe(results[0]?.isError ? 'bob' : 'alice');
});

test('a listener that fails after a write fails the call, and the file is written', async () => {
  const { path, alice, context, text } = await guarded();
  const broken = { ...alice, observed: () => Promise.reject(new Error('listener broke')) };
  const result = await executeTool({
    name: 'write',
    args: { file_path: 'f', content: 'x' },
    context: context({ filePolicy: broken }),
  });
  expect(result).toMatchObject({ isError: true, content: [{ text: 'Error: listener broke' }] });
  expect(text('f')).toBe('x');
  expect(statSync(path('f')).isFile()).toBe(true);
});

test('a tool asks the machine once: no body looks at a file before it reads or writes it', async () => {
  const { cwd, context } = await openWorkspace();
  const { ports } = context();
  const asked: string[] = [];
  const files = Object.fromEntries(
    Object.entries(ports.files).map(([verb, ask]) => [
      verb,
      (input: never) => {
        asked.push(verb);
        return (ask as (input: never) => unknown)(input);
      },
    ]),
  ) as unknown as typeof ports.files;
  const run = (name: string, args: object) =>
    executeTool({ name, args: args as never, context: context({ ports: { ...ports, files } }) });
  const file_path = join(cwd, 'f');
  for (const [name, args] of [
    ['write', { file_path, content: 'a' }],
    ['read', { file_path }],
    ['edit', { file_path, old_string: 'a', new_string: 'b' }],
  ] as const)
    expect((await run(name, args)).isError).toBe(false);
  expect(asked).toEqual(['write', 'readText', 'edit']);
});

test('a directory is not a file, seen or not', async () => {
  const { path, write } = await guarded();
  mkdirSync(path('d'));
  expect(await write('d', 'x')).toMatchObject({ code: 'FS_NOT_REGULAR_FILE' });
});
