import { writeSessionCommands } from '@everturn/core/postgres';
import { describeCommand, type RegistryPlace } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** Has people find the commands that only this session or its tenant has; costs nothing where there are none. */
export async function rememberCommands({ registry, database }: ActivityDeps, place: RegistryPlace): Promise<void> {
  const { commands } = registry.view(place);
  const own = [...commands.values()].filter((command) => registry.global.commands.get(command.name) !== command);
  if (own.length === 0) return;
  const { tenant, session } = place;
  await writeSessionCommands(database, { tenant, session, commands: own.map(describeCommand) });
}
