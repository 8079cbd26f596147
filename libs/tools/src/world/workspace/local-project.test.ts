import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/workspace.ts';
import { LocalProject } from './local-project.ts';

test('instructions go from the root down to the working directory, one file a folder', async () => {
  const root = temporaryDirectory();
  const project = join(root, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'AGENTS.md'), 'above the project');
  writeFileSync(join(project, 'AGENTS.md'), 'whole project');
  writeFileSync(join(project, 'CLAUDE.md'), 'the second name loses');
  writeFileSync(join(project, 'a/AGENTS.md'), '  \n');
  writeFileSync(join(project, 'a/b/CLAUDE.md'), 'here');
  const port = new LocalProject({ roots: [root] });
  const read = (maxBytes: number) => port.instructions({ cwd: join(project, 'a/b'), maxBytes });
  expect(await read(1_000)).toEqual([
    { path: 'AGENTS.md', text: 'whole project', cut: false },
    { path: 'a/b/CLAUDE.md', text: 'here', cut: false },
  ]);
  // The nearest first; what is left is for those above.
  expect(await read(9)).toEqual([
    { path: 'AGENTS.md', text: 'whole', cut: true },
    { path: 'a/b/CLAUDE.md', text: 'here', cut: false },
  ]);
  expect(await read(0)).toEqual([]);
});

test('links that lead out, pipes and half characters say nothing; foreign folders are not here', async () => {
  const [root, outside] = [temporaryDirectory(), temporaryDirectory()];
  writeFileSync(join(outside, 'AGENTS.md'), 'secret');
  symlinkSync(join(outside, 'AGENTS.md'), join(root, 'AGENTS.md'));
  writeFileSync(join(root, 'CLAUDE.md'), 'häh');
  const port = new LocalProject({ roots: [root] });
  expect(await port.instructions({ cwd: root, maxBytes: 2 })).toEqual([{ path: 'CLAUDE.md', text: 'h', cut: true }]);
  expect([await port.isHere(root), await port.isHere(outside), await port.isHere(join(root, 'gone'))]).toEqual([
    true,
    false,
    false,
  ]);
  symlinkSync(root, join(outside, 'by-another-name'));
  const named = new LocalProject({ roots: [join(outside, 'by-another-name')] });
  expect(await named.allows(root)).toBe(true);
  const allowed = [root, join(root, 'gone'), outside, join(root, '..')].map((folder) => port.allows(folder));
  expect(await Promise.all(allowed)).toEqual([true, true, false, false]);
});
