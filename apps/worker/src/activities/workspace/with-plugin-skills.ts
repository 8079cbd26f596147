import type { SkillsPort } from '@everturn/tools/kit';
import type { RegistryPlace } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** A session's skills: those of folders, and those that plugins bring. */
export function withPluginSkills(
  { ports: { skills }, registry }: Pick<ActivityDeps, 'ports' | 'registry'>,
  place: RegistryPlace,
): SkillsPort {
  const added = () => registry.skills(place);
  return {
    list: (input) => skills.list({ ...input, added: added() }),
    load: (input) => skills.load({ ...input, added: added() }),
  };
}
