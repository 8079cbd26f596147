import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/workspace.ts';
import { LocalSkills } from './local-skills.ts';

const skill = (name: string, description: string, more = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\nDo ${description}.\n`;

function folderWith(files: Record<string, string>): string {
  const folder = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test('the nearest of a name wins: project before deployment before home; the project begins at its .git', async () => {
  const project = folderWith({
    '.git/HEAD': '',
    'src/deep/file.ts': '',
    '.dsh/skills/one/SKILL.md': skill('one', 'one of the project'),
    '.agents/skills/one.md': skill('one', 'one that loses'),
    '.agents/skills/two.md': skill('two', 'two of the project'),
  });
  const deployment = folderWith({
    'two/SKILL.md': skill('two', 'two that loses'),
    'three.md': skill('three', 'three'),
  });
  const home = folderWith({
    '.agents/skills/three.md': skill('three', 'loses'),
    '.dsh/skills/four.md': skill('four', 'four'),
  });
  const skills = new LocalSkills({ roots: [project], folders: [deployment], home });
  const cwd = join(project, 'src/deep');
  const added = ['one', 'three', 'five'].map((name) => ({
    name,
    description: `${name} of a plugin`,
    instructions: '',
    byModel: true,
    byPerson: true,
    source: 'plugin' as const,
  }));
  const withAdded = (await skills.list({ cwd, added })).skills.map(({ name, source }) => `${name} ${source}`);
  expect(withAdded).toEqual(['five plugin', 'four user', 'one project', 'three plugin', 'two project']);
  expect(
    (await skills.list({ cwd })).skills.map(({ name, description, source }) => [name, description, source]),
  ).toEqual([
    ['four', 'four', 'user'],
    ['one', 'one of the project', 'project'],
    ['three', 'three', 'deployment'],
    ['two', 'two of the project', 'project'],
  ]);
  const folder = join(project, '.dsh/skills/one');
  expect(await skills.load({ cwd, name: 'one' })).toMatchObject({ folder, instructions: 'Do one of the project.\n' });
  expect((await skills.load({ cwd, name: 'two' }))?.folder).toBeUndefined();
  writeFileSync(join(project, '.agents/skills/two.md'), skill('two', 'two anew'));
  expect((await skills.load({ cwd, name: 'two' }))?.instructions).toBe('Do two anew.\n');
});

test('a broken one is left out alone, and so is what really lies elsewhere', async () => {
  const outside = folderWith({ 'secret.md': skill('secret', 'not of this project') });
  const project = folderWith({
    '.agents/skills/good.md': skill(
      'good',
      'good',
      'whenToUse: always\ndisable-model-invocation: YES\nuser-invocable: 0\n',
    ),
    '.agents/skills/no-matter.md': 'just text',
    '.agents/skills/odd.md': skill('odd', 'odd', 'user-invocable: maybe\n'),
    '.agents/skills/Case.md': skill('Case', 'not kebab'),
    '.agents/skills/yaml.md': '---\nname: [\n---\n',
    '.agents/skills/deep/er/SKILL.md': skill('deeper', 'too deep'),
    '.agents/skills/binary.md': 'a\0b',
  });
  symlinkSync(join(outside, 'secret.md'), join(project, '.agents/skills/secret.md'));
  const skills = new LocalSkills({ roots: [project] });
  expect(await skills.list({ cwd: project })).toEqual({
    complete: true,
    skills: [
      {
        name: 'good',
        description: 'good',
        whenToUse: 'always',
        byModel: false,
        byPerson: false,
        source: 'project',
        path: join(project, '.agents/skills/good.md'),
      },
    ],
  });
  expect((await new LocalSkills({ roots: [outside] }).list({ cwd: project })).skills).toEqual([]);
});
