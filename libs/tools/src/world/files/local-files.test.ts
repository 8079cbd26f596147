import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory, untouched } from '../../../test/workspace.ts';
import { LocalFiles } from './local-files.ts';

const signal = untouched();
const setUp = () => {
  const cwd = temporaryDirectory();
  return { cwd, files: new LocalFiles(), at: (path: string) => ({ path, cwd, signal }) };
};
const versionOf = async (files: LocalFiles, path: string) => {
  const stat = await files.stat({ path, cwd: '/', signal });
  return stat.kind === 'absent' ? undefined : stat.version;
};

describe('paths', () => {
  test('link and target are one file with one version', async () => {
    const { cwd, files, at } = setUp();
    writeFileSync(join(cwd, 'f'), 'x');
    symlinkSync('f', join(cwd, 'l'));
    const [file, link] = [await files.stat(at('f')), await files.stat(at('l'))];
    expect(link).toEqual({ ...file, displayPath: join(cwd, 'l') });
  });

  test('the identity of a missing file is what it has once it is there', async () => {
    const { cwd, files, at } = setUp();
    mkdirSync(join(cwd, 'real'));
    symlinkSync('real', join(cwd, 'link'));
    const before = await files.stat(at('link/a/b'));
    const change = await files.write({ ...at('link/a/b'), content: '' });
    expect([before.kind, before.identity]).toEqual(['absent', join(cwd, 'real/a/b')]);
    expect(change.identity).toBe(before.identity);
  });

  test('`..` in a linked directory goes where the system goes', async () => {
    const { cwd, files } = setUp();
    mkdirSync(join(cwd, 'deep/inner'), { recursive: true });
    writeFileSync(join(cwd, 'deep/f'), 'deep');
    writeFileSync(join(cwd, 'f'), 'top');
    symlinkSync('deep/inner', join(cwd, 'link'));
    expect(await files.stat({ path: '../f', cwd: join(cwd, 'link'), signal })).toMatchObject({
      kind: 'file',
      identity: join(cwd, 'deep/f'),
    });
  });

  test('below a file there is nothing', async () => {
    const { cwd, files, at } = setUp();
    writeFileSync(join(cwd, 'f'), '');
    expect((await files.stat(at('f/x'))).kind).toBe('absent');
  });

  test('a loop of links', async () => {
    const { cwd, files, at } = setUp();
    symlinkSync('b', join(cwd, 'a'));
    symlinkSync('a', join(cwd, 'b'));
    await expect(files.readText(at('a'))).rejects.toMatchObject({ code: 'FS_IO_ERROR' });
  });
});

describe('folders', () => {
  test('list what they hold, by code points, as deep as asked, links unfollowed', async () => {
    const { cwd, files, at } = setUp();
    mkdirSync(join(cwd, 'a/b/c'), { recursive: true });
    writeFileSync(join(cwd, 'a/f'), '');
    writeFileSync(join(cwd, 'Z'), '');
    symlinkSync('.', join(cwd, 'loop'));
    const list = async (depth: number) =>
      (await files.list({ ...at('.'), depth })).map(({ kind, path }) => `${kind} ${path.slice(cwd.length + 1)}`);
    expect(await list(1)).toEqual(['file Z', 'directory a', 'other loop']);
    expect(await list(2)).toEqual(['file Z', 'directory a', 'directory a/b', 'file a/f', 'other loop']);
  });

  test('that are none are refused', async () => {
    const { cwd, files, at } = setUp();
    writeFileSync(join(cwd, 'f'), '');
    const list = (path: string) => files.list({ ...at(path), depth: 1 });
    await expect(list('f')).rejects.toMatchObject({ code: 'FS_NOT_DIRECTORY' });
    await expect(list('none')).rejects.toMatchObject({ code: 'FS_NOT_FOUND' });
  });
});

describe('guarded writes', () => {
  test('a rewrite of the same size with its time put back is another version', async () => {
    const { cwd, files } = setUp();
    const path = join(cwd, 'f');
    writeFileSync(path, 'aaaa');
    const { atime, mtime } = statSync(path);
    const before = await versionOf(files, path);
    writeFileSync(path, 'bbbb');
    utimesSync(path, atime, mtime);
    expect(await versionOf(files, path)).not.toBe(before);
  });

  test('of two writes on one version one wins and the other is stale', async () => {
    const { cwd, files, at } = setUp();
    writeFileSync(join(cwd, 'f'), '0');
    const version = (await versionOf(files, join(cwd, 'f')))!;
    const intent = async () => ({ kind: 'replace-if-version', version }) as const;
    const results = await Promise.allSettled([
      files.write({ ...at('f'), content: '1', intent }),
      files.edit({ ...at('f'), expectedVersion: async () => version, change: () => '2' }),
    ]);
    const verbs = ['write', 'edit'];
    const winner = results.findIndex(({ status }) => status === 'fulfilled');
    expect(results[1 - winner]).toMatchObject({
      reason: {
        code: 'FS_STALE_VERSION',
        message: `cannot ${verbs[1 - winner]} "${cwd}/f": file changed since it was read`,
      },
    });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe(String(winner + 1));
  });

  test('a version whose file is gone', async () => {
    const { cwd, files, at } = setUp();
    const intent = async () => ({ kind: 'replace-if-version', version: '1:2:3:4:5' }) as const;
    await expect(files.write({ ...at('f'), content: '', intent })).rejects.toMatchObject({
      code: 'FS_STALE_VERSION',
      message: `cannot write "${cwd}/f": file no longer exists`,
    });
  });

  test('a file that is not expected survives', async () => {
    const { cwd, files, at } = setUp();
    writeFileSync(join(cwd, 'f'), 'theirs');
    symlinkSync('nowhere', join(cwd, 'dangling'));
    mkdirSync(join(cwd, 'd'));
    const intent = async () => ({ kind: 'create-if-absent' }) as const;
    for (const name of ['f', 'dangling'])
      await expect(files.write({ ...at(name), content: 'ours', intent })).rejects.toMatchObject({
        code: 'FS_NOT_OBSERVED',
        message: `cannot overwrite existing "${cwd}/${name}" without reading it first`,
      });
    await expect(files.write({ ...at('d'), content: '', intent })).rejects.toMatchObject({
      code: 'FS_NOT_REGULAR_FILE',
    });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('theirs');
    expect(lstatSync(join(cwd, 'dangling')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(cwd, 'nowhere'))).toBe(false);
    expect((await files.write({ ...at('new'), content: 'ours', intent })).operation).toBe('create');
  });

  test('ten edits of one file at once, under two names, all happen', async () => {
    const { cwd, files, at } = setUp();
    writeFileSync(join(cwd, 'f'), '');
    symlinkSync('f', join(cwd, 'l'));
    const numbers = Array.from({ length: 10 }, (_, n) => n);
    await Promise.all(
      numbers.map((n) => files.edit({ ...at(n % 2 ? 'f' : 'l'), change: ({ text }) => `${text}${n}` })),
    );
    expect(new Set(readFileSync(join(cwd, 'f'), 'utf8'))).toEqual(new Set('0123456789'));
  });

  test('a cancel while the change is made leaves the file', async () => {
    const { cwd, files } = setUp();
    writeFileSync(join(cwd, 'f'), 'old');
    const controller = new AbortController();
    const edit = files.edit({
      path: 'f',
      cwd,
      signal: controller.signal,
      change: () => {
        controller.abort();
        return 'new';
      },
    });
    await expect(edit).rejects.toMatchObject({ code: 'FS_ABORTED', message: 'edit aborted' });
    expect(readFileSync(join(cwd, 'f'), 'utf8')).toBe('old');
  });
});

describe('what is kept for comparison', () => {
  test.each([
    ['text', 'a\r\nb', 'a\nb'],
    ['binary', 'a\0b', null],
    ['bad bytes', Buffer.from([0xff]), null],
    ['10 MiB', 'x'.repeat(10 * 1024 * 1024), null],
  ])('%s', async (_name, content, before) => {
    const { cwd, files, at } = setUp();
    writeFileSync(join(cwd, 'f'), content);
    expect((await files.write({ ...at('f'), content: 'new' })).before).toBe(before);
  });
});

test('of a file that grows no more is read than it said and one byte, which counts', async () => {
  // Its size is 0 to everyone who asks.
  const read = (maxBytes: number) =>
    new LocalFiles().readBytes({ path: '/proc/self/status', cwd: '/', signal, maxBytes });
  expect((await read(10)).bytes.length).toBe(1);
  await expect(read(0)).rejects.toMatchObject({ code: 'FS_TOO_LARGE', message: expect.stringContaining('0 bytes') });
});

test('FIFOs are refused for every verb, at once', async () => {
  const { cwd, files, at } = setUp();
  execFileSync('mkfifo', [join(cwd, 'p')]);
  const refused = { code: 'FS_NOT_REGULAR_FILE' };
  await expect(files.readText(at('p'))).rejects.toMatchObject(refused);
  await expect(files.write({ ...at('p'), content: '' })).rejects.toMatchObject(refused);
  await expect(files.edit({ ...at('p'), change: () => '' })).rejects.toMatchObject(refused);
});

test.skipIf(process.getuid?.() === 0)('a file its owner made read-only stays', async () => {
  const { cwd, files, at } = setUp();
  writeFileSync(join(cwd, 'f'), 'old');
  chmodSync(join(cwd, 'f'), 0o444);
  await expect(files.write({ ...at('f'), content: '' })).rejects.toMatchObject({ code: 'FS_PERMISSION_DENIED' });
});
