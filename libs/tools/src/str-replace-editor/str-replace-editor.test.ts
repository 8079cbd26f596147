import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorkspace, readBeforeWrite } from '../../test/workspace.ts';
import { placesOf } from './places.ts';

async function editing(content: string | Buffer | undefined, args: object) {
  const workspace = await openWorkspace();
  const path = join(workspace.cwd, 'f');
  if (content !== undefined) writeFileSync(path, content);
  const result = await workspace.call('str_replace_editor', { path, ...args });
  return { ...workspace, path, result };
}

const header = (path: string, total: number, range = '') =>
  `Here's the content of ${path} with line numbers (which has a total of ${total} lines)${range}:\n`;

describe('view', () => {
  test.each<[string, string, object, number, string, string]>([
    ['two lines and an empty last one', 'a\nb\n', {}, 3, '', '     1  a\n     2  b\n     3  \n'],
    ['no last line end', 'a\nb', {}, 2, '', '     1  a\n     2  b\n'],
    ['nothing', '', {}, 1, '', '     1  \n'],
    ['carriage returns and tabs as they are', '\ta\r\n', {}, 2, '', '     1  \ta\r\n     2  \n'],
    ['a range', 'a\nb\nc\n', { view_range: [2, 3] }, 4, ' with view_range=[2, 3]', '     2  b\n     3  c\n'],
    ['a range to the end', 'a\nb\nc', { view_range: [2, -1] }, 3, ' with view_range=[2, -1]', '     2  b\n     3  c\n'],
    ['null for the unused', 'a', { view_range: null, old_str: null, insert_line: null }, 1, '', '     1  a\n'],
  ])('%s', async (_name, content, args, total, range, lines) => {
    const { path, result } = await editing(content, { command: 'view', ...args });
    expect(result).toEqual({ text: header(path, total, range) + lines, isError: false });
  });

  test.each<[number[], string]>([
    [[1], 'Invalid `view_range`: [1]. It must hold exactly two integers.'],
    [[1, 2, 3], 'Invalid `view_range`: [1, 2, 3]. It must hold exactly two integers.'],
    [[0, 2], 'Invalid `view_range`: 0. The first line must lie within the lines of the file: [1, 3]'],
    [[4, 4], 'Invalid `view_range`: 4. The first line must lie within the lines of the file: [1, 3]'],
    [
      [1, 4],
      'Invalid `view_range`: 4. The last line must be at most the number of lines in the file, 3, or -1 for its end',
    ],
    [[3, 2], 'Invalid `view_range`: 2. The last line must not come before the first, 3'],
  ])('refuses the range %j', async (view_range, message) => {
    const { result } = await editing('a\nb\nc', { command: 'view', view_range });
    expect(result).toEqual({ text: `Error: ${message}`, isError: true });
  });

  test('long output is cut and marked, never within a character; the count of lines stays exact', async () => {
    const { path, result } = await editing(`${'🙂'.repeat(20_000)}\n${'b\n'.repeat(100_000)}`, { command: 'view' });
    expect(result.text.startsWith(`${header(path, 100_002)}     1  🙂🙂`)).toBe(true);
    expect(result.text.isWellFormed()).toBe(true);
    const [head, note] = result.text.split('<response clipped>');
    expect(head?.length).toBeGreaterThan(15_990);
    expect(head?.length).toBeLessThanOrEqual(16_000);
    expect(note).toMatch(/^<NOTE>.*`grep -n`.*<\/NOTE>$/);
  });

  test('a directory, two levels deep, by code points', async () => {
    const { cwd, call } = await openWorkspace();
    for (const folder of ['a/b/c', 'B', 'node_modules/x', '__pycache__', '.git', 'a/.hidden'])
      mkdirSync(join(cwd, folder), { recursive: true });
    for (const file of ['a/f', 'a/b/deep', 'a-c', '.dot', 'é', 'B/\u{1F642}', 'B/\uFF5E'])
      writeFileSync(join(cwd, file), '');
    symlinkSync('a', join(cwd, 'link'));
    const { text } = await call('str_replace_editor', { command: 'view', path: cwd });
    expect(text.split('\n').slice(1)).toEqual([
      `d\t${cwd}`,
      `d\t${cwd}/B`,
      `f\t${cwd}/B/\uFF5E`,
      `f\t${cwd}/B/\u{1F642}`,
      `d\t${cwd}/a`,
      `f\t${cwd}/a-c`,
      `d\t${cwd}/a/b`,
      `f\t${cwd}/a/f`,
      `?\t${cwd}/link`,
      `f\t${cwd}/é`,
      '',
    ]);
    expect(await call('str_replace_editor', { command: 'view', path: cwd, view_range: [1, 2] })).toEqual({
      text: 'Error: The `view_range` parameter is not allowed when `path` is a directory.',
      isError: true,
    });
  });

  test('what is no text, and what is not there', async () => {
    const { result } = await editing('a\0b', { command: 'view' });
    expect(result).toMatchObject({ code: 'FS_NOT_TEXT' });
    const missing = await editing(undefined, { command: 'view' });
    expect(missing.result).toEqual({
      text: `Error: cannot read "${missing.path}": not found`,
      isError: true,
      code: 'FS_NOT_FOUND',
    });
  });
});

describe('create', () => {
  test('makes a new file, and never replaces one', async () => {
    const { path, call, result } = await editing(undefined, { command: 'create', file_text: 'a\r\n' });
    expect(result).toEqual({ text: `New file created successfully at: ${path}`, isError: false });
    expect(await call('str_replace_editor', { command: 'create', path, file_text: 'b' })).toEqual({
      text: `Error: File already exists at: ${path}. Cannot overwrite files using command \`create\`.`,
      isError: true,
    });
    expect(readFileSync(path, 'utf8')).toBe('a\r\n');
  });

  test('works after a view that found nothing, and refuses what was viewed', async () => {
    const { cwd, call } = await openWorkspace();
    const filePolicy = readBeforeWrite();
    const path = join(cwd, 'f');
    const create = { command: 'create', path, file_text: 'x' };
    expect(await call('str_replace_editor', { command: 'view', path }, { filePolicy })).toMatchObject({
      code: 'FS_NOT_FOUND',
    });
    expect(await call('str_replace_editor', create, { filePolicy })).toMatchObject({ isError: false });
    expect(await call('str_replace_editor', create, { filePolicy })).toMatchObject({
      text: expect.stringContaining('File already exists'),
    });
  });
});

describe('str_replace and insert', () => {
  test.each<[string, string, object, string]>([
    [
      'dollar signs',
      'head\ntotal: X\ntail\n',
      { command: 'str_replace', old_str: 'X', new_str: "$& $$ $1 $' $`" },
      "head\ntotal: $& $$ $1 $' $`\ntail\n",
    ],
    ['deletion by leaving new_str out', 'a b', { command: 'str_replace', old_str: ' b' }, 'a'],
    ['CRLF by its letters', 'a\r\nb\r\n', { command: 'str_replace', old_str: 'a\r\n', new_str: 'x\n' }, 'x\nb\r\n'],
    ['a mark stays', '\uFEFFa', { command: 'str_replace', old_str: 'a', new_str: 'b' }, '\uFEFFb'],
    ['at the top', 'a\nb\n', { command: 'insert', insert_line: 0, new_str: 'x' }, 'x\na\nb\n'],
    ['between', 'a\nb\n', { command: 'insert', insert_line: 1, new_str: 'x\ny' }, 'a\nx\ny\nb\n'],
    ['at the end', 'a\nb', { command: 'insert', insert_line: 2, new_str: '$&' }, 'a\nb\n$&'],
    ['nothing', 'a\nb', { command: 'insert', insert_line: 1, new_str: '' }, 'a\n\nb'],
  ])('%s', async (_name, content, args, expected) => {
    const { path, result } = await editing(content, args);
    expect(result).toEqual({ text: `The file ${path} has been edited successfully.`, isError: false });
    expect(readFileSync(path, 'utf8')).toBe(expected);
  });

  test.each<[string, object, string, string | undefined]>([
    [
      'no path from the root',
      { command: 'view', path: 'a/b' },
      'The path a/b is not an absolute path, it should start with `/`. Maybe you meant /a/b?',
      undefined,
    ],
    ['create without text', { command: 'create' }, 'Parameter `file_text` is required for command: create', undefined],
    [
      'create with null',
      { command: 'create', file_text: null },
      'Parameter `file_text` is required for command: create',
      undefined,
    ],
    [
      'str_replace without old_str',
      { command: 'str_replace', new_str: 'x' },
      'Parameter `old_str` is required for command: str_replace',
      undefined,
    ],
    [
      'an empty old_str',
      { command: 'str_replace', old_str: '' },
      'Parameter `old_str` is empty for command: str_replace',
      undefined,
    ],
    [
      'a null new_str',
      { command: 'str_replace', old_str: 'a', new_str: null },
      'Parameter `new_str` must not be null for command: str_replace; leave it out to delete old_str',
      undefined,
    ],
    [
      'insert without a line',
      { command: 'insert', new_str: 'x' },
      'Parameter `insert_line` is required for command: insert',
      undefined,
    ],
    [
      'insert without text',
      { command: 'insert', insert_line: 1, new_str: null },
      'Parameter `new_str` is required for command: insert',
      undefined,
    ],
    [
      'a line past the end',
      { command: 'insert', insert_line: 4, new_str: 'x' },
      'Invalid `insert_line` parameter: 4. It must lie within the lines of the file: [0, 3]',
      undefined,
    ],
    [
      'a line before the top',
      { command: 'insert', insert_line: -1, new_str: 'x' },
      'Invalid `insert_line` parameter: -1. It must lie within the lines of the file: [0, 3]',
      undefined,
    ],
    [
      'an unknown command',
      { command: 'undo_edit' },
      'invalid arguments: "command" must be one of ["view","create","str_replace","insert"]',
      'INVALID_ARGS',
    ],
    [
      'no place',
      { command: 'str_replace', old_str: 'z', new_str: 'y' },
      'No replacement was performed, old_str `z` did not appear verbatim in <path>.',
      'FS_EDIT_NOT_FOUND',
    ],
    [
      'several places, overlapping',
      { command: 'str_replace', old_str: 'aXa', new_str: 'b' },
      'No replacement was performed, old_str `aXa` fits several places in lines [1, 1]; add surrounding lines until it fits one.',
      'FS_AMBIGUOUS_EDIT',
    ],
    [
      'several places',
      { command: 'str_replace', old_str: 'b', new_str: 'c' },
      'No replacement was performed, old_str `b` fits several places in lines [2, 3]; add surrounding lines until it fits one.',
      'FS_AMBIGUOUS_EDIT',
    ],
    [
      'a missing file',
      { command: 'str_replace', path: '/nowhere/f', old_str: 'a', new_str: 'b' },
      'cannot edit "/nowhere/f": not found',
      'FS_NOT_FOUND',
    ],
    [
      'a directory',
      { command: 'insert', path: '/', insert_line: 0, new_str: 'b' },
      'cannot edit "/": it is a directory',
      'FS_NOT_REGULAR_FILE',
    ],
  ])('refuses %s', async (_name, args, message, code) => {
    const { path, result } = await editing('aXaXa\nb\nb', args);
    expect(result).toEqual({ text: `Error: ${message.replace('<path>', path)}`, isError: true, ...(code && { code }) });
    expect(readFileSync(path, 'utf8')).toBe('aXaXa\nb\nb');
  });
});

test('outside of its fence a change is denied, with no way out to ask for', async () => {
  const { cwd, call } = await openWorkspace();
  writeFileSync(join(cwd, 'f'), 'a');
  const sandbox = { mode: 'read-only', network: 'full', root: cwd, limits: {} } as const;
  const denied = {
    text: 'Error: [sandbox: file access denied under read-only mode]',
    isError: true,
    code: 'FS_SANDBOX_DENIED',
  };
  const editor = (args: object) => call('str_replace_editor', args, { sandbox });
  const path = join(cwd, 'f');
  expect(await editor({ command: 'str_replace', path, old_str: 'a', new_str: 'b' })).toEqual(denied);
  expect(await editor({ command: 'insert', path, insert_line: 0, new_str: 'b' })).toEqual(denied);
  expect(await editor({ command: 'create', path: join(cwd, 'new'), file_text: '' })).toEqual(denied);
  expect((await editor({ command: 'view', path })).isError).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('a');
});

test('places are counted up to a bound', () => {
  expect(placesOf('a'.repeat(1_000_000), 'a').lines).toHaveLength(100);
  expect(placesOf('x\n\nab\nab', 'ab')).toEqual({ first: 3, lines: [3, 4] });
});
