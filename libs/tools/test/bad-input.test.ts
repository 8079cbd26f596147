import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ToolCallContext } from '../src/kit/index.ts';
import { openWorkspace } from './workspace.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

/** Good arguments of every tool that works on files. */
const GOOD: Readonly<Record<string, Record<string, unknown>>> = {
  edit: { file_path: 'f', old_string: 'old', new_string: 'new' },
  glob: { pattern: '*', path: '.' },
  grep: { pattern: 'old', path: '.' },
  read: { file_path: 'f' },
  read_image: { file_path: 'f.png' },
  str_replace_editor: { command: 'view', path: '/f' },
  write: { file_path: 'f', content: 'new' },
};
const tools = Object.entries(GOOD);

async function untouched(name: string, args: unknown, overrides?: Partial<ToolCallContext>) {
  const { cwd, call } = await openWorkspace();
  writeFileSync(join(cwd, 'f'), 'old');
  const state = () =>
    createHash('sha256')
      .update(readFileSync(join(cwd, 'f')))
      .digest('hex') + readdirSync(cwd).join();
  const before = state();
  const result = await call(name, args, overrides);
  expect(state()).toBe(before);
  return result;
}

describe.each(tools)('%s', (name, good) => {
  const [required = ''] = Object.keys(good);

  test('refuses what is no object, or was no JSON', async () => {
    for (const args of ['{"file_path": "f', 'f', 7, null, []])
      expect(await untouched(name, args)).toEqual({
        text: 'Error: invalid arguments: "arguments" must be an object',
        isError: true,
        code: 'INVALID_ARGS',
      });
  });

  test('names what is missing and what is of a wrong type', async () => {
    const missing = await untouched(name, {});
    expect(missing).toMatchObject({ isError: true, code: 'INVALID_ARGS' });
    expect(missing.text).toMatch(`Error: invalid arguments: missing required property "${required}"`);
    for (const wrong of [7, null, ['f'], { a: 1 }]) {
      const { text, code } = await untouched(name, { ...good, [required]: wrong });
      expect([code, text]).toEqual(['INVALID_ARGS', expect.stringContaining(`"${required}" must be`)]);
    }
  });

  test('refuses NUL in a path', async () => {
    const field = 'path' in good ? 'path' : 'file_path';
    const { isError, text } = await untouched(name, { ...good, [field]: '/f\0g' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/NUL|null byte|stores no images/i)]);
  });

  test('does nothing when it was cancelled before it began', async () => {
    expect(await untouched(name, good, { signal: AbortSignal.abort() })).toEqual({
      text: 'Error: tool call aborted before dispatch',
      isError: true,
      code: 'ABORTED_BEFORE_DISPATCH',
    });
  });

  test('answers a path of 10 MB shortly', async () => {
    const field = 'path' in good ? 'path' : 'file_path';
    const { isError, text } = await untouched(name, { ...good, [field]: `/${'x'.repeat(10_000_000)}.png` });
    expect([isError, text.length < 60_000]).toEqual([true, true]);
  });
});

test('what a tool does not know is let through: the root of its arguments is open', async () => {
  expect(await untouched('read', { file_path: 'f', encoding: 'latin1' })).toMatchObject({ isError: false });
});

test('an unknown tool', async () => {
  expect(await untouched('rm', { file_path: 'f' })).toEqual({
    text: 'Error: unknown tool "rm"',
    isError: true,
    code: 'UNKNOWN_TOOL',
  });
});

test('numbers no JSON has are refused before anything else', async () => {
  for (const offset of [Infinity, Number.NaN, -0])
    expect((await untouched('read', { file_path: 'f', offset })).text).toContain(
      'tool execution arguments must be losslessly JSON-serializable',
    );
});

test.each<[string, object]>([
  ['edit', { old_string: 'x'.repeat(10_000_000) }],
  ['grep', { pattern: 'x'.repeat(10_000_000) }],
  ['grep', { include: 'x'.repeat(10_000_000) }],
  ['grep', { pattern: 'a\0b' }],
  ['glob', { pattern: 'x'.repeat(10_000_000) }],
  ['glob', { pattern: 'a\0b' }],
  ['str_replace_editor', { command: 'str_replace', path: '/f', old_str: 'x'.repeat(10_000_000) }],
])('%s fails with a bounded answer where an argument is too much: %#', async (name, args) => {
  const { isError, text } = await untouched(name, { ...GOOD[name], ...args });
  expect([isError, Buffer.byteLength(text) <= 50_000]).toEqual([true, true]);
});

test('10 MB to write are written', async () => {
  const { cwd, call } = await openWorkspace();
  const content = 'x'.repeat(10_000_000);
  expect((await call('write', { file_path: 'big', content })).isError).toBe(false);
  expect(readFileSync(join(cwd, 'big'), 'utf8') === content).toBe(true);
});
