import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorkspace } from '../../test/workspace.ts';
import { executeTool } from '../activity.ts';

const BOM = '\uFEFF';

async function editing(content: string | Buffer, args: object) {
  const workspace = await openWorkspace();
  const path = join(workspace.cwd, 'f');
  writeFileSync(path, content);
  const result = await workspace.call('edit', { file_path: 'f', ...args });
  return { ...workspace, path, result, after: readFileSync(path, 'utf8') };
}

describe('edit', () => {
  test.each<[string, string, object, string]>([
    [
      'dollar signs',
      'head\ntotal: X\ntail\n',
      { old_string: 'X', new_string: "$& $$ $1 $' $`" },
      "head\ntotal: $& $$ $1 $' $`\ntail\n",
    ],
    ['deletion', 'a b c', { old_string: ' b', new_string: '' }, 'a c'],
    [
      'CRLF and mark stay',
      `${BOM}one\r\ntwo\r\nthree`,
      { old_string: 'one\ntwo', new_string: '1\n2' },
      `${BOM}1\r\n2\r\nthree`,
    ],
    ['no mark is added', 'one\r\ntwo\r\nthree', { old_string: 'one\ntwo', new_string: '1\n2' }, '1\r\n2\r\nthree'],
    ['CRLF sent to an LF file', 'one\ntwo\n', { old_string: 'one\r\ntwo', new_string: '1\r\n2' }, '1\n2\n'],
    ['a pattern is letters', 'a.c abc', { old_string: 'a.c', new_string: 'x' }, 'x abc'],
  ])('%s', async (_name, content, args, expected) => {
    const once = await editing(content, args);
    expect(once.result).toEqual({ text: `The file ${once.path} has been updated successfully.`, isError: false });
    expect(once.after).toBe(expected);
    const all = await editing(content, { ...args, replace_all: true });
    expect(all.result.text).toBe(`The file ${all.path} has been updated. All occurrences were successfully replaced.`);
    expect(all.after).toBe(expected);
  });

  test.each<[string, string | Buffer, object, string, string | undefined]>([
    [
      'overlapping places',
      'aXaXa\n',
      { old_string: 'aXa', new_string: 'b' },
      'old_string matched 2 times in "<path>"; add surrounding text so that it fits one place, or set replace_all',
      'FS_AMBIGUOUS_EDIT',
    ],
    [
      'no place',
      'abc',
      { old_string: 'x', new_string: 'y' },
      'old_string was not found in "<path>"',
      'FS_EDIT_NOT_FOUND',
    ],
    ['nothing to find', 'abc', { old_string: '', new_string: 'y' }, 'old_string must be a non-empty string', undefined],
    [
      'nothing to change',
      'abc',
      { old_string: 'a', new_string: 'a' },
      'old_string and new_string must differ',
      undefined,
    ],
    [
      'nothing but line ends to change, which stay as the file has them',
      'a\r\nb',
      { old_string: 'a\r\nb', new_string: 'a\nb' },
      'old_string and new_string must differ',
      undefined,
    ],
    [
      'NUL anywhere',
      `${'a'.repeat(10_000)}\0`,
      { old_string: 'a\0', new_string: 'b' },
      'cannot edit "<path>": binary file',
      'FS_NOT_TEXT',
    ],
    [
      'bad bytes',
      Buffer.from([0x61, 0xff]),
      { old_string: 'a', new_string: 'b' },
      'cannot edit "<path>": invalid UTF-8 text',
      'FS_NOT_TEXT',
    ],
    [
      'blank path',
      'a',
      { file_path: ' ', old_string: 'a', new_string: 'b' },
      'file_path must be a non-empty string',
      'FS_NOT_FOUND',
    ],
    [
      'an escalation',
      'a',
      { old_string: 'a', new_string: 'b', sandbox_permissions: 'workspace-write', justification: 'x' },
      'sandbox_permissions was not granted for this call, so nothing was run',
      undefined,
    ],
  ])('refuses %s', async (_name, content, args, message, code) => {
    const { result, path } = await editing(content, args);
    expect(result).toEqual({ text: `Error: ${message.replace('<path>', path)}`, isError: true, ...(code && { code }) });
    expect(readFileSync(path)).toEqual(Buffer.from(content));
  });

  test('a missing file is stale', async () => {
    const { cwd, call } = await openWorkspace();
    expect(await call('edit', { file_path: 'none', old_string: 'a', new_string: 'b' })).toEqual({
      text: `Error: cannot edit "${cwd}/none": file no longer exists — re-read the file, then retry`,
      isError: true,
      code: 'FS_STALE_VERSION',
    });
  });

  test('one diff a place', async () => {
    const { cwd, context } = await openWorkspace();
    const file_path = join(cwd, 'f');
    const gap = Array.from({ length: 9 }, (_, n) => `${n}`).join('\n');
    writeFileSync(file_path, `X\n${gap}\nX\n${gap}\nX\n`);
    const args = { file_path, old_string: 'X', new_string: 'Y', replace_all: true };
    const { meta } = await executeTool({ name: 'edit', args, context: context() });
    expect(meta).toEqual({
      path: file_path,
      operation: 'update',
      hunks: [
        { oldText: 'X\n0\n1\n2', newText: 'Y\n0\n1\n2' },
        { oldText: '6\n7\n8\nX\n0\n1\n2', newText: '6\n7\n8\nY\n0\n1\n2' },
        { oldText: '6\n7\n8\nX', newText: '6\n7\n8\nY' },
      ],
    });
  });

  test('a file that is emptied shows nothing new', async () => {
    const { cwd, context } = await openWorkspace();
    const file_path = join(cwd, 'f');
    writeFileSync(file_path, 'all');
    const args = { file_path, old_string: 'all', new_string: '' };
    const { meta } = await executeTool({ name: 'edit', args, context: context() });
    expect(meta).toMatchObject({ hunks: [{ oldText: 'all', newText: '' }] });
  });

  test('a cancel before anything happens', async () => {
    const { cwd, call } = await openWorkspace();
    writeFileSync(join(cwd, 'f'), 'a');
    expect(
      await call('edit', { file_path: 'f', old_string: 'a', new_string: 'b' }, { signal: AbortSignal.abort() }),
    ).toEqual({
      text: 'Error: tool call aborted before dispatch',
      isError: true,
      code: 'ABORTED_BEFORE_DISPATCH',
    });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('a');
  });
});
