import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryHome } from '../../../test/confined.ts';
import { assertInside } from './fence.ts';
import { publishFile } from './publish-file.ts';

function setUp() {
  const home = temporaryHome();
  const [root, outside] = [join(home, 'workspace'), join(home, 'outside')];
  for (const folder of [root, outside, join(root, 'folder')]) mkdirSync(folder);
  writeFileSync(join(outside, 'kept'), 'original');
  const fence = { mode: 'workspace-write', network: 'full', root, limits: {} } as const;
  const publish = (path: string, beforePublish: () => void = () => undefined) =>
    publishFile({
      identity: join(root, path),
      content: 'x',
      previous: undefined,
      exclusive: false,
      judgeFolder: (real) => assertInside('write', { displayPath: path }, real, fence),
      beforePublish: async () => beforePublish(),
    });
  /** What a command in the background does between any two steps of a write. */
  const exchange = () => {
    renameSync(join(root, 'folder'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'folder'));
  };
  const untouched = () => {
    expect(readdirSync(outside)).toEqual(['kept']);
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('original');
  };
  return { root, outside, publish, exchange, untouched };
}

test.skipIf(process.platform !== 'linux').each(['folder/kept', 'folder/deep/kept', 'folder/deep/er/kept'])(
  'a folder that is a link by the time of the write is refused, and nothing is made behind it: %s',
  async (path) => {
    const { publish, exchange, untouched } = setUp();
    exchange();
    await expect(publish(path)).rejects.toThrow();
    untouched();
  },
);

test.skipIf(process.platform !== 'linux')(
  'a folder that becomes a link meanwhile gets the file all the same',
  async () => {
    const { root, publish, exchange, untouched } = setUp();
    await publish('folder/kept', exchange);
    untouched();
    expect(readdirSync(join(root, 'moved'))).toEqual(['kept']);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a staging folder that is exchanged for a link is not cleared through it',
  async () => {
    const { root, outside, publish, untouched } = setUp();
    await publish('folder/new', () => {
      const [staging = ''] = readdirSync(join(root, 'folder'));
      renameSync(join(root, 'folder', staging), join(root, 'staging'));
      symlinkSync(outside, join(root, 'folder', staging));
    });
    untouched();
    expect(readFileSync(join(root, 'folder/new'), 'utf8')).toBe('x');
  },
);

test('where a folder cannot be held, missing ones are made all the same', async () => {
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  vi.resetModules();
  const { HeldFolder } = await import('./held-folder.ts');
  const { root } = setUp();
  const judged: string[] = [];
  const judge = (real: string) => void judged.push(real);
  const held = await HeldFolder.open({ path: join(root, 'folder/deep/er'), make: true, judge });
  writeFileSync(join(held.path, 'a'), '');
  expect([judged, readdirSync(join(root, 'folder/deep/er'))]).toEqual([[join(root, 'folder/deep/er')], ['a']]);
  await expect(HeldFolder.at(join(root, 'folder/deep/er/a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});
