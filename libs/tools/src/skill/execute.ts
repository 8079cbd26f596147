import { text } from '@everturn/core/domain';
import { implementTool, SKILL_NAME, skillText } from '../kit/index.ts';
import { skill } from './schema.ts';

/** Reads a skill anew each time, since its file may have changed. */
export const executeSkill = implementTool(skill, async ({ name }, { cwd, ports }) => {
  if (!SKILL_NAME.test(name)) throw new Error(`invalid skill name "${name}"`);
  const loaded = await ports.skills.load({ cwd, name });
  if (!loaded) throw new Error(`skill "${name}" is unknown or no longer available`);
  if (!loaded.byModel) throw new Error(`skill "${name}" is not available for model invocation`);
  return { content: [text(skillText(loaded))] };
});
