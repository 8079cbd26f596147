import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { openWorkspace } from '../../test/workspace.ts';
import { ToolSettings } from '../kit/index.ts';
import { languageOf } from './language.ts';
import { LineWindow, type LineWindowInput } from './line-window.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

const settings = (overrides: Record<string, unknown>) => ({ settings: ToolSettings.parse({ read: overrides }) });
const envelope = (path: string, body: string, after = '') =>
  `<path>${path}</path>\n<type>file</type>\n<content>\n${body}\n</content>${after}`;

async function reading(content: string | Buffer, args: object = {}, overrides: Record<string, unknown> = {}) {
  const { cwd, call } = await openWorkspace();
  const path = join(cwd, 'f');
  writeFileSync(path, content);
  const result = await call('read', { file_path: 'f', ...args }, settings(overrides));
  return { path, result };
}

test('a kept result that is in no file is read by its locator, and by nobody it is not kept for', async () => {
  const locator = `spill:${'a'.repeat(32)}/bash.txt`;
  const open = async (asked: string) => (asked === locator ? 'one\ntwo\nthree' : undefined);
  const { call } = await openWorkspace({ spill: { save: async () => ({ locator, hint: '' }), open } });
  const { text } = await call('read', { file_path: locator, offset: 2, limit: 1 });
  expect(text).toBe(envelope(locator, '2: two\n\n(Showing lines 2-2 of 3. Use offset=3 to continue.)'));
  expect(await call('read', { file_path: locator.replaceAll('a', 'b') })).toMatchObject({
    isError: true,
    code: 'FS_NOT_FOUND',
  });
  expect(await call('read', { file_path: locator, offset: 9 })).toMatchObject({ isError: true });
});

describe('what is shown', () => {
  test.each<[string, string, object, Record<string, unknown>, string]>([
    ['two lines', 'first\nsecond\n', {}, {}, '1: first\n2: second\n\n(End of file - total 2 lines)'],
    ['no last line end', 'first\nsecond', {}, {}, '1: first\n2: second\n\n(End of file - total 2 lines)'],
    ['nothing', '', {}, {}, '(End of file - total 0 lines)'],
    ['one empty line', '\n', {}, {}, '1: \n\n(End of file - total 1 lines)'],
    ['CRLF', 'a\r\nb\r\n', {}, {}, '1: a\n2: b\n\n(End of file - total 2 lines)'],
    ['a return within and at the end', 'a\rb\nc\r', {}, {}, '1: a\rb\n2: c\r\n\n(End of file - total 2 lines)'],
    ['a byte order mark', '\uFEFFa\n', {}, {}, '1: a\n\n(End of file - total 1 lines)'],
    [
      'a window',
      'a\nb\nc\nd\n',
      { offset: 2, limit: 2 },
      {},
      '2: b\n3: c\n\n(Showing lines 2-3 of 4. Use offset=4 to continue.)',
    ],
    ['the end', 'a\nb\nc\n', { offset: 3 }, {}, '3: c\n\n(End of file - total 3 lines)'],
    [
      'the byte limit, joints counted',
      'aaaa\nbbbb\ncccc',
      {},
      { maxBytes: 9 },
      '1: aaaa\n2: bbbb\n\n(Output capped. Showing lines 1-2. Use offset=3 to continue.)',
    ],
    [
      'a first line over the byte limit',
      'aaaa\nb',
      {},
      { maxBytes: 2 },
      '1: aaaa\n\n(Output capped. Showing lines 1-1. Use offset=2 to continue.)',
    ],
    [
      'control sequences as they are',
      '\u001B]52;c;cHduZWQ=\u0007\u202Ex\n',
      {},
      {},
      '1: \u001B]52;c;cHduZWQ=\u0007\u202Ex\n\n(End of file - total 1 lines)',
    ],
  ])('%s', async (_name, content, args, overrides, body) => {
    const { path, result } = await reading(content, args, overrides);
    expect(result).toEqual({ text: envelope(path, body), isError: false });
  });

  test('a cut line is marked, and what shows the rest is said', async () => {
    const { path, result } = await reading('abcdefghij\n', {}, { maxLineCharacters: 5 });
    expect(result.text).toBe(
      envelope(
        path,
        '1: abcde... (line truncated to 5 chars)\n\n(End of file - total 1 lines)',
        '\n(To see the rest of a cut line use bash, for example: sed -n \'1p\' "$file" | cut -c 2001-4000, or search it with grep.)',
      ),
    );
  });

  test.each([4, 5, 6, 7])('a cut at %d never halves an emoji', async (maxLineCharacters) => {
    const { result } = await reading('abcd🙂efgh\n', {}, { maxLineCharacters });
    const [, line] = /1: (.*)\.\.\. \(line/.exec(result.text) ?? [];
    expect(line).toBe({ 4: 'abcd', 5: 'abcd', 6: 'abcd🙂', 7: 'abcd🙂e' }[maxLineCharacters]);
    expect(result.text.isWellFormed()).toBe(true);
  });

  test('a result over the inline limit stays whole: reading pages by itself', async () => {
    const content = 'x'.repeat(1_000) + '\n';
    const { result } = await reading(content.repeat(51), {}, { maxBytes: 60_000 });
    expect(result.text.length).toBeGreaterThan(50_000);
    expect(result.text).not.toContain('Omitted');
  });

  test('one line of 700 kB: bounded, and paging ends at once', async () => {
    const { result } = await reading(`${'x'.repeat(400_000)}needle${'y'.repeat(300_000)}`);
    expect(result.text.length).toBeLessThan(2_500);
    expect(result.text).toContain('(End of file - total 1 lines)');
    expect(result.text).toContain('To see the rest');
  });

  test('following the paging hints reaches the last line', async () => {
    const { cwd, call } = await openWorkspace();
    writeFileSync(join(cwd, 'f'), Array.from({ length: 5_001 }, (_, n) => `line ${n} ${'z'.repeat(50)}`).join('\n'));
    let offset: number | undefined = 1;
    let last = '';
    for (let page = 0; offset !== undefined && page < 20; page++) {
      last = (await call('read', { file_path: 'f', offset })).text;
      const next: string | undefined = /Use offset=(\d+)/.exec(last)?.[1];
      expect(next === undefined || Number(next) > offset).toBe(true);
      offset = next === undefined ? undefined : Number(next);
    }
    expect(last).toContain('(End of file - total 5001 lines)');
  });

  test('a file of 30 MB counts every line', async () => {
    const { result } = await reading('0123456789\n'.repeat(3_000_000), { limit: 1 });
    expect(result.text).toContain('(Showing lines 1-1 of 3000000. Use offset=2 to continue.)');
  });

  test('brackets in a path are letters', async () => {
    const { cwd, call } = await openWorkspace();
    mkdirSync(join(cwd, 'app/[slug]'), { recursive: true });
    writeFileSync(join(cwd, 'app/[slug]/page.tsx'), 'x\n');
    expect((await call('read', { file_path: 'app/[slug]/page.tsx' })).text).toContain('1: x');
  });
});

describe('refused', () => {
  test.each<[string, string | Buffer, object, string, string | undefined]>([
    ['blank path', '', { file_path: ' ' }, 'file_path must be a non-empty string', 'FS_NOT_FOUND'],
    ['offset 0', '', { offset: 0 }, 'offset must be a positive integer', undefined],
    ['offset 1.5', '', { offset: 1.5 }, 'offset must be a positive integer', undefined],
    ['limit 0', '', { limit: 0 }, 'limit must be a positive integer', undefined],
    ['limit 2001', '', { limit: 2_001 }, 'limit must be less than or equal to 2000', undefined],
    ['missing', '', { file_path: 'none' }, 'cannot read "<cwd>/none": not found', 'FS_NOT_FOUND'],
    [
      'below a file',
      '',
      { file_path: 'f/x' },
      'cannot read "<cwd>/f/x": a parent segment is not a directory',
      'FS_NOT_FOUND',
    ],
    ['a directory', '', { file_path: '.' }, 'cannot read "<cwd>": it is a directory', 'FS_NOT_REGULAR_FILE'],
    [
      'a device',
      '',
      { file_path: '/dev/zero' },
      'cannot read "/dev/zero": it is not a regular file',
      'FS_NOT_REGULAR_FILE',
    ],
    ['NUL early', 'a\0b', {}, 'cannot read "<cwd>/f": binary file', 'FS_NOT_TEXT'],
    [
      'a picture',
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      {},
      'cannot read "<cwd>/f": binary file',
      'FS_NOT_TEXT',
    ],
    ['bad bytes', Buffer.from([0x61, 0xff]), {}, 'cannot read "<cwd>/f": invalid UTF-8 text', 'FS_NOT_TEXT'],
    [
      'half a character at the end',
      Buffer.from([0x61, 0xe2, 0x82]),
      {},
      'cannot read "<cwd>/f": invalid UTF-8 text',
      'FS_NOT_TEXT',
    ],
    ['past the end', 'a\nb\n', { offset: 3 }, 'offset 3 is out of range for "<cwd>/f" (2 lines)', 'FS_NOT_FOUND'],
    ['past the end of nothing', '', { offset: 2 }, 'offset 2 is out of range for "<cwd>/f" (0 lines)', 'FS_NOT_FOUND'],
  ])('%s', async (_name, content, args, message, code) => {
    const { path, result } = await reading(content, args);
    const text = `Error: ${message.replace('<cwd>', path.slice(0, -2))}`;
    expect(result).toEqual({ text, isError: true, ...(code && { code }) });
  });

  test('a FIFO, at once', async () => {
    const { cwd, call } = await openWorkspace();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    expect(await call('read', { file_path: 'pipe' })).toEqual({
      text: `Error: cannot read "${cwd}/pipe": it is not a regular file`,
      isError: true,
      code: 'FS_NOT_REGULAR_FILE',
    });
  });
});

describe('LineWindow', () => {
  const window = (input: Partial<LineWindowInput>) =>
    new LineWindow({ offset: 1, limit: 10, maxLineCharacters: 100, maxBytes: 1_000, ...input });

  test('pieces of any size give what the whole gives', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', '🙂', '\n', '\r', '\r\n', 'é'), maxLength: 60 });
    fc.assert(
      fc.property(
        anyText,
        fc.array(fc.nat(7), { minLength: 1 }),
        fc.integer({ min: 1, max: 4 }),
        (text, sizes, offset) => {
          const whole = window({ offset, limit: 3, maxLineCharacters: 4, maxBytes: 20 });
          whole.push(text);
          const pieces = window({ offset, limit: 3, maxLineCharacters: 4, maxBytes: 20 });
          for (let at = 0, n = 0; at < text.length; n++) {
            const size = (sizes[n % sizes.length] ?? 0) + 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          const result = pieces.finish();
          expect(result).toEqual(whole.finish());
          const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
          expect(result.totalLines).toBe(lines.length);
        },
      ),
    );
  });

  test('5000 characters in pieces of 256 keep no more than is shown', () => {
    const lines = window({ maxLineCharacters: 2_000, maxBytes: 50_000 });
    const line = 'é'.repeat(5_000);
    for (let at = 0; at < line.length; at += 256) lines.push(line.slice(at, at + 256));
    expect(lines.finish()).toEqual({
      lines: [`${'é'.repeat(2_000)}... (line truncated to 2000 chars)`],
      totalLines: 1,
      capped: false,
      firstCutLine: 1,
    });
  });
});

test.each([
  ['a.TSX', 'tsx'],
  ['x.mjs', 'js'],
  ['.gitignore', undefined],
  ['a.py.bak', undefined],
  ['/a.b/c', undefined],
])('language of %s', (name, language) => {
  expect(languageOf(name)).toBe(language);
});
