import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkspace } from '../../test/workspace.ts';
import { catalogEntries, catalogText, type Skill } from '../kit/index.ts';

test('a skill is read anew at each call, with where its files are', async () => {
  const { cwd, call } = await openWorkspace();
  const folder = join(cwd, '.agents/skills/tidy');
  mkdirSync(folder, { recursive: true });
  const write = (more: string) =>
    writeFileSync(join(folder, 'SKILL.md'), `---\nname: tidy\ndescription: d\n${more}---\n# Tidy\n`);
  write('');
  expect(await call('skill', { name: 'tidy' })).toEqual({
    text: `<skill_content name="tidy">\n<skill_resources>\nFiles the skill names lie in ${folder}.\n</skill_resources>\n\n<skill_instructions>\n# Tidy\n\n</skill_instructions>\n</skill_content>`,
    isError: false,
  });
  writeFileSync(join(folder, 'SKILL.md'), '---\nname: tidy\ndescription: d\n---\n# Tidier\n');
  expect((await call('skill', { name: 'tidy' })).text).toContain('<skill_instructions>\n# Tidier\n');
  write('disable-model-invocation: true\n');
  const error = async (name: string) => (await call('skill', { name })).text;
  expect(await error('tidy')).toBe('Error: skill "tidy" is not available for model invocation');
  writeFileSync(join(folder, 'SKILL.md'), '---\nname: neat\ndescription: d\n---\n# Neat\n');
  expect(await error('tidy')).toBe('Error: skill "tidy" is unknown or no longer available');
  expect(await error('gone')).toBe('Error: skill "gone" is unknown or no longer available');
  expect(await error('No/Name')).toBe('Error: invalid skill name "No/Name"');
});

test('a catalogue lists what the model may load, shortly and in order, also that there is nothing', () => {
  const skill = (name: string, description: string, byModel = true): Skill => ({
    name,
    description,
    byModel,
    byPerson: true,
    source: 'project',
    path: '/x',
  });
  const entries = catalogEntries([
    skill('b', 'two\n  lines'),
    skill('a', '😀'.repeat(600)),
    skill('c', 'hidden', false),
  ]);
  expect(entries).toEqual([
    { name: 'a', description: `${'😀'.repeat(497)}...` },
    { name: 'b', description: 'two lines' },
  ]);
  expect(catalogText(entries)).toContain('<available_skills>\n- a: 😀');
  expect(catalogText([])).toContain('There are no skills any more');
});
