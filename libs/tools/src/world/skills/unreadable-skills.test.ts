import { mkdirSync, writeFileSync } from 'node:fs';
import type * as Files from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/workspace.ts';
import { LocalSkills } from './local-skills.ts';

const files = vi.hoisted(() => ({ fails: (_path: string): string | undefined => undefined }));
// No file system here fails when it is asked to.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Files>();
  const failing = (path: string) => {
    const code = files.fails(path);
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };
  return {
    ...real,
    readdir: async (path: string, options: object) => {
      failing(path);
      return real.readdir(path, options as never);
    },
    open: async (path: string, flags: number): Promise<Files.FileHandle> => {
      failing(path);
      return real.open(path, flags);
    },
  };
});
beforeEach(() => void (files.fails = () => undefined));

const project = temporaryDirectory();
const folder = join(project, '.agents/skills');
mkdirSync(folder, { recursive: true });
for (const name of ['one', 'two'])
  writeFileSync(join(folder, `${name}.md`), `---\nname: ${name}\ndescription: d\n---\nDo ${name}.`);
const list = async () => {
  const { skills, complete } = await new LocalSkills({ roots: [project] }).list({ cwd: project });
  return [skills.map(({ name }) => name), complete];
};

test.each([
  ['EMFILE', [[], false]],
  ['EIO', [[], false]],
  ['ENOENT', [[], true]],
  ['EACCES', [[], true]],
])('a folder that answers %s', async (code, found) => {
  files.fails = (path) => (path.endsWith('/skills') ? code : undefined);
  expect(await list()).toEqual(found);
});

test.each([
  ['EMFILE', [['two'], false]],
  ['EACCES', [['two'], true]],
])('a file that answers %s', async (code, found) => {
  files.fails = (path) => (path.endsWith('one.md') ? code : undefined);
  expect(await list()).toEqual(found);
});

test('nothing is missing where everything could be read', async () => {
  expect(await list()).toEqual([['one', 'two'], true]);
});
