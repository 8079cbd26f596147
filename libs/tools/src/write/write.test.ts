import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { executeTool } from '../activity.ts';
import { openWorkspace } from '../../test/workspace.ts';

const envelope = (path: string, body: string, after = '') =>
  `<path>${path}</path>\n<type>file</type>\n<content>\n${body}\n</content>${after}`;

describe('write', () => {
  test('creates a private file and its parents', async () => {
    const { cwd, call } = await openWorkspace();
    const path = join(cwd, 'a/b/c.txt');
    expect(await call('write', { file_path: 'a/b/c.txt', content: 'hi\r\n' })).toEqual({
      text: envelope(path, 'Created file'),
      isError: false,
    });
    expect(readFileSync(path, 'utf8')).toBe('hi\r\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(cwd, 'a/b'))).toEqual(['c.txt']);
  });

  test('replaces all and keeps mode, link and target; says that a hard link was split', async () => {
    const { cwd, call } = await openWorkspace();
    const script = join(cwd, 'run.sh');
    writeFileSync(script, 'old\n');
    chmodSync(script, 0o755);
    symlinkSync('run.sh', join(cwd, 'l'));
    linkSync(script, join(cwd, 'hard'));
    const note = (name: string) =>
      `(Note: "${join(cwd, name)}" shared its content with 1 other hard link; only this name has the new content, the others keep the old.)`;
    expect(await call('edit', { file_path: 'l', old_string: 'old', new_string: 'mid' })).toEqual({
      text: `The file ${join(cwd, 'l')} has been updated successfully.\n${note('l')}`,
      isError: false,
    });
    expect(readFileSync(join(cwd, 'hard'), 'utf8')).toBe('old\n');
    expect((await call('write', { file_path: 'run.sh', content: 'new\n' })).text).toBe(
      envelope(script, 'Updated file'),
    );
    expect(readFileSync(join(cwd, 'l'), 'utf8')).toBe('new\n');
    expect(readlinkSync(join(cwd, 'l'))).toBe('run.sh');
    expect(statSync(script).mode & 0o777).toBe(0o755);
  });

  test('goes to its file once, as a read and an edit do', async () => {
    const { context, call } = await openWorkspace();
    const { ports } = context();
    const asked: string[] = [];
    const noting = (name: 'readText' | 'readBytes' | 'write' | 'edit' | 'stat' | 'list') => (input: never) => {
      asked.push(name);
      return ports.files[name](input) as never;
    };
    const files = {
      stat: noting('stat'),
      list: noting('list'),
      readText: noting('readText'),
      readBytes: noting('readBytes'),
      write: noting('write'),
      edit: noting('edit'),
    };
    const counted = { ports: { ...ports, files } };
    await call('write', { file_path: 'f', content: 'a' }, counted);
    await call('edit', { file_path: 'f', old_string: 'a', new_string: 'b' }, counted);
    await call('read', { file_path: 'f' }, counted);
    expect(asked).toEqual(['write', 'edit', 'readText']);
  });

  test('shows what changed, at most with three lines around, and nothing for creations', async () => {
    const { cwd, context } = await openWorkspace();
    const file_path = join(cwd, 'f');
    const lines = (changed: string) => ['1', '2', '3', '4', changed, '6', '7', '8', '9'].join('\n');
    const write = (content: string) => executeTool({ name: 'write', args: { file_path, content }, context: context() });
    expect((await write(lines('5'))).meta).toEqual({ path: file_path, operation: 'create', hunks: [] });
    expect((await write(lines('5'))).meta).toEqual({ path: file_path, operation: 'update', hunks: [] });
    expect((await write(lines('five'))).meta).toEqual({
      path: file_path,
      operation: 'update',
      hunks: [{ oldText: '2\n3\n4\n5\n6\n7\n8', newText: '2\n3\n4\nfive\n6\n7\n8' }],
    });
    expect((await write('')).meta).toMatchObject({ hunks: [{ newText: '' }] });
    expect((await write('x\n')).meta).toEqual({
      path: file_path,
      operation: 'update',
      hunks: [{ oldText: null, newText: 'x' }],
    });
  });

  test.each<[string, object, string, string | undefined]>([
    ['blank path', { file_path: '' }, 'file_path must be a non-empty string', 'FS_NOT_FOUND'],
    ['a directory', { file_path: 'd' }, 'cannot write "<cwd>/d": it is a directory', 'FS_NOT_REGULAR_FILE'],
    [
      'below a file',
      { file_path: 'f/x' },
      'cannot write "<cwd>/f/x": a parent segment is not a directory',
      'FS_NOT_FOUND',
    ],
    [
      'half a character',
      { file_path: 'f', content: 'a\ud83d' },
      'cannot write "<cwd>/f": the new text holds half of a surrogate pair, which no UTF-8 file can; send whole characters',
      'FS_NOT_TEXT',
    ],
    [
      'an escalation',
      { file_path: 'f', sandbox_permissions: 'danger-full-access', justification: 'x' },
      'sandbox_permissions was not granted for this call, so nothing was run',
      undefined,
    ],
  ])('refuses %s', async (_name, args, message, code) => {
    const { cwd, call } = await openWorkspace();
    mkdirSync(join(cwd, 'd'));
    writeFileSync(join(cwd, 'f'), 'old');
    expect(await call('write', { content: 'new', ...args })).toEqual({
      text: `Error: ${message.replace('<cwd>', cwd)}`,
      isError: true,
      ...(code && { code }),
    });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('old');
    expect(readdirSync(cwd).toSorted()).toEqual(['d', 'f']);
  });

  test('cut-off arguments write nothing', async () => {
    const { cwd, call } = await openWorkspace();
    const result = await call('write', '{"path":"m.md","content":"# Ti');
    expect(result).toEqual({
      text: 'Error: invalid arguments: "arguments" must be an object',
      isError: true,
      code: 'INVALID_ARGS',
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('a dangling link gets its target', async () => {
    const { cwd, call } = await openWorkspace();
    symlinkSync('target', join(cwd, 'l'));
    expect((await call('write', { file_path: 'l', content: 'x' })).isError).toBe(false);
    expect(readFileSync(join(cwd, 'target'), 'utf8')).toBe('x');
  });
});
