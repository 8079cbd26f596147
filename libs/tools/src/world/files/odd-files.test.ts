import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readLateNul } from '../../../test/big-file.ts';
import { openWorkspace, type CallSummary } from '../../../test/workspace.ts';

type Made = (path: string) => void | Promise<void>;
const TWO_GB = 2 ** 31;
const HALF_A_GB = 2 ** 29;

const sparse: Made = (path) => {
  writeFileSync(path, '');
  truncateSync(path, TWO_GB);
};
const socket: Made = async (path) => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => void server.close());
};

/** One call of each tool on one odd file: its error code, or `ok`. */
async function codesOn(make: Made): Promise<Record<string, string>> {
  const { cwd, call } = await openWorkspace();
  const path = join(cwd, 'odd');
  await make(path);
  const codeOf = ({ isError, code, text }: CallSummary) => (isError ? (code ?? text) : 'ok');
  const on = async (name: string, args: object) => codeOf(await call(name, { file_path: 'odd', path, ...args }));
  return {
    read: await on('read', {}),
    view: await on('str_replace_editor', { command: 'view' }),
    edit: await on('edit', { old_string: 'a', new_string: 'b' }),
    str_replace: await on('str_replace_editor', { command: 'str_replace', old_str: 'a', new_str: 'b' }),
    insert: await on('str_replace_editor', { command: 'insert', insert_line: 0, new_str: 'b' }),
    create: await on('str_replace_editor', { command: 'create', file_text: 'b' }),
    write: await on('write', { content: 'b' }),
  };
}

const all = (code: string) => ({
  read: code,
  view: code,
  edit: code,
  str_replace: code,
  insert: code,
  create: code,
  write: code,
});
const EXISTS = expect.stringContaining('File already exists at') as string;
const NOT_REGULAR = all('FS_NOT_REGULAR_FILE');
/** A file that no tool can change in place, and every write replaces. */
const replaceable = (code: string) => ({ ...all(code), create: EXISTS, write: 'ok' });

describe('what each tool says of', () => {
  test.each<[string, Made, Record<string, string>]>([
    ['a directory', (path) => mkdirSync(path), { ...NOT_REGULAR, view: 'ok' }],
    ['a FIFO', (path) => void execFileSync('mkfifo', [path]), NOT_REGULAR],
    ['a socket', socket, { ...NOT_REGULAR }],
    ['a link to a device', (path) => symlinkSync('/dev/null', path), NOT_REGULAR],
    ['a loop of links', (path) => symlinkSync('odd', path), all('FS_IO_ERROR')],
    [
      'a file of 0 bytes',
      (path) => writeFileSync(path, ''),
      { ...all('FS_EDIT_NOT_FOUND'), read: 'ok', view: 'ok', insert: 'ok', create: EXISTS, write: 'ok' },
    ],
    ['2 GB of nothing', sparse, { ...replaceable('FS_TOO_LARGE'), read: 'FS_NOT_TEXT', view: 'FS_NOT_TEXT' }],
    [
      'bytes that are no UTF-8',
      (path) => writeFileSync(path, Buffer.from([0x61, 0xc3, 0x28])),
      replaceable('FS_NOT_TEXT'),
    ],
    ['UTF-16', (path) => writeFileSync(path, Buffer.from('\uFEFFa', 'utf16le')), replaceable('FS_NOT_TEXT')],
    ['a missing one', () => undefined, { ...all('FS_NOT_FOUND'), edit: 'FS_STALE_VERSION', create: 'ok', write: 'ok' }],
    [
      'one below a file',
      (path) => {
        writeFileSync(join(path, '../f'), '');
        symlinkSync('f/x', path);
      },
      all('FS_NOT_FOUND'),
    ],
  ])('%s', async (_name, make, expected) => {
    expect(await codesOn(make)).toEqual(expected);
  });
});

// The same with 2 GB, which take this machine half a minute, is big-file.full.test.ts.
test('half a GB with NUL far in is read in constant memory, to the line that is asked for', async () => {
  const { text, grown } = await readLateNul(HALF_A_GB);
  expect(text).toContain('(line truncated to 2000 chars)');
  expect(text).toContain('(End of file - total 1 lines)');
  expect(grown).toBeLessThan(200 * 1024 * 1024);
});

describe('names in other characters', () => {
  const composed = 'caf\u00e9.txt';
  const decomposed = 'cafe\u0301.txt';

  test.each([
    [composed, decomposed, 'decomposed characters ("cafe\\u0301.txt")'],
    [decomposed, composed, 'composed characters ("caf\\u00e9.txt")'],
  ])('a missing file of the same look is pointed out, never taken for it', async (asked, there, said) => {
    const { cwd, call } = await openWorkspace();
    writeFileSync(join(cwd, there), 'x');
    expect(await call('read', { file_path: asked })).toMatchObject({
      code: 'FS_NOT_FOUND',
      text: expect.stringMatching(/": not found; a file whose name reads the same/),
    });
    expect((await call('read', { file_path: asked })).text).toContain(said);
    await call('write', { file_path: asked, content: 'y' });
    expect(readdirSync(cwd).toSorted()).toEqual([composed, decomposed].toSorted());
    expect(readFileSync(join(cwd, there), 'utf8')).toBe('x');
  });

  test('any name the system takes is taken: emoji, right-to-left, spaces, quotes, a line end', async () => {
    const { cwd, call } = await openWorkspace();
    for (const name of ['🙂', '\u202Eabc', ' a b ', `'"$(x)`, 'a\nb', '-rf', '~', '%2e'])
      expect([name, (await call('write', { file_path: join(cwd, name), content: name })).isError]).toEqual([
        name,
        false,
      ]);
    expect(readdirSync(cwd).every((name) => readFileSync(join(cwd, name), 'utf8') === name)).toBe(true);
    expect((await call('read', { file_path: '🙂' })).text).toContain('1: 🙂');
  });

  test('names that are too long are refused, and not repeated at length', async () => {
    const { cwd, call } = await openWorkspace();
    for (const length of [256, 5_000, 10_000_000]) {
      const { text, code } = await call('write', { file_path: 'n'.repeat(length), content: '' });
      expect([code, text.length < 500]).toEqual(['FS_IO_ERROR', true]);
      expect(text).toMatch(/the name is too long$/);
    }
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test('writers of several processes: every version is whole, and of creators exactly one wins', async () => {
  const { cwd, world } = await openWorkspace();
  const { world: elsewhere } = await openWorkspace(); // locks of its own, like another worker
  const signal = new AbortController().signal;
  const write = ({ ports }: typeof world, content: string) =>
    ports.files.write({
      path: join(cwd, 'f'),
      cwd,
      signal,
      content,
      intent: async () => ({ kind: 'create-if-absent' }),
    });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => write(n % 2 ? world : elsewhere, String.fromCharCode(97 + n).repeat(100_000))),
  );
  const won = results.filter(({ status }) => status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(new Set(readFileSync(join(cwd, 'f'), 'utf8')).size).toBe(1);
  expect([statSync(join(cwd, 'f')).size, readdirSync(cwd)]).toEqual([100_000, ['f']]);
});
