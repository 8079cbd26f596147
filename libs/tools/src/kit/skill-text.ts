import type { LoadedSkill, Skill } from './skills-port.ts';

const MAX_DESCRIPTION = 500;

/** What a catalogue says of one skill. */
export interface SkillEntry {
  name: string;
  description: string;
}

/** The skills a model may load by itself, as its catalogue lists them. */
export function catalogEntries(skills: readonly Skill[]): SkillEntry[] {
  return skills
    .filter(({ byModel }) => byModel)
    .map(({ name, description, whenToUse }) => ({
      name,
      description: shortened([description, whenToUse].filter(Boolean).join(' ')),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What the model is told of its skills; also that it has none any more. */
export function catalogText(entries: readonly SkillEntry[]): string {
  const lines = entries.map(({ name, description }) => `- ${name}: ${description}`);
  return [
    '<system-reminder>',
    entries.length === 0
      ? 'There are no skills any more; what was listed before is gone.'
      : 'These skills are there. When a task fits one, load it with the `skill` tool before you begin, and follow it. This list takes the place of any earlier one.',
    '<available_skills>',
    ...lines,
    '</available_skills>',
    '</system-reminder>',
  ].join('\n');
}

/** A skill as a model reads it. */
export function skillText({ name, folder, path, instructions }: LoadedSkill): string {
  return [
    `<skill_content name="${escaped(name)}">`,
    '<skill_resources>',
    whereabouts(folder, path),
    '</skill_resources>',
    '',
    '<skill_instructions>',
    instructions,
    '</skill_instructions>',
    '</skill_content>',
  ].join('\n');
}

function whereabouts(folder: string | undefined, path: string | undefined): string {
  if (folder !== undefined) return `Files the skill names lie in ${folder}.`;
  return path === undefined ? 'The skill comes with a plugin and has no files.' : `The skill is the file ${path}.`;
}

function shortened(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim();
  const points = Array.from(line);
  return points.length > MAX_DESCRIPTION ? `${points.slice(0, MAX_DESCRIPTION - 3).join('')}...` : line;
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
