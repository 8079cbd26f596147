import type { BirthActivities } from '../contract/index.ts';
import { openLog } from '../projection/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { rememberCommands } from './context/remember-commands.ts';
import { failingAs } from './failure.ts';

/** Creates, reopens or refuses a session's log, and repairs the tail of a dead run. */
export function openLogActivity(deps: ActivityDeps): BirthActivities['openLog'] {
  return (input) =>
    failingAs(async () => {
      const opened = await openLog(deps.projection, input, {
        isolation: deps.stepIsolation,
        permissionMode: deps.permissionMode,
      });
      if (opened.kind === 'refused') return opened;
      await rememberCommands(deps, input);
      return { ...opened, searchAttributes: deps.searchAttributes() };
    });
}
