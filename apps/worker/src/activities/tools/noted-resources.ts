import { forgetTerminals, noteTerminal } from '@everturn/core/postgres';
import { holdsTerminal, type SessionResources } from '@everturn/tools/kit';
import type { ActivityDeps } from '../activity-deps.ts';
import { untilItWorks } from '../effects/retry.ts';
import type { CallPlace } from './call-place.ts';

/**
 * What a session keeps here, with its terminals noted before they are opened: whoever wants to change what the session
 * may do has to know of shells that would go on under what it might before.
 */
export function notedResources(
  { database, resources, machine }: Pick<ActivityDeps, 'database' | 'resources' | 'machine'>,
  { tenant, session }: Pick<CallPlace, 'tenant' | 'session'>,
  signal: AbortSignal,
): SessionResources {
  const held = resources.of(session);
  if (!machine) return held;
  const row = (name: string) => ({ tenant, session, host: machine.host, name });
  const surely = (attempt: () => Promise<void>) => untilItWorks({ attempt, giveUp: () => signal.aborted });
  const forget = async (name: string) => {
    if (!held.has(name)) await surely(() => forgetTerminals(database, row(name)));
  };
  return {
    ...held,
    open: async (key, create) => {
      if (!holdsTerminal(key) || held.has(key)) return held.open(key, create);
      await surely(() => noteTerminal(database, row(key)));
      try {
        return await held.open(key, create);
      } catch (error) {
        await forget(key);
        throw error;
      }
    },
    close: async (key) => {
      await held.close(key);
      if (holdsTerminal(key)) await forget(key);
    },
  };
}
