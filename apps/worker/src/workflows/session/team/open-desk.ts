import { newTeam, type SessionId, type Team } from '@everturn/core/domain';
import type { SessionInput, TeamCarry, TeamWaiter } from '@everturn/core/protocol';
import type { Mutex } from '../../shared/mutex.ts';

/** Where a session that leads a team keeps it. The log has all of the team; what it cannot tell stands here besides. */
export interface TeamDesk {
  state: 'closed' | 'loading' | 'open';
  team: Team;
  /** Who was at work when the team was read from the log, and has not been heard of since. */
  atWork: Set<SessionId>;
  waiters: TeamWaiter[];
  asked: string[];
  handed: Set<string>;
  /** Deliveries to one target follow each other. */
  readonly deliveries: Map<SessionId, Mutex>;
  /** How much is being done for it. */
  errands: number;
}

/** A desk as the last run left it. */
export function openDesk(
  { input }: { input: Pick<SessionInput, 'session'> },
  { waiters, asked, handed }: TeamCarry,
): TeamDesk {
  return {
    state: 'closed',
    team: newTeam(input.session),
    atWork: new Set(),
    waiters: [...waiters],
    asked: [...asked],
    handed: new Set(handed),
    deliveries: new Map(),
    errands: 0,
  };
}

/** What the next run is given. */
export function carryDesk({ waiters, asked, handed, team, state }: TeamDesk): TeamCarry {
  const open = new Set(team.pending.map(({ id }) => id));
  return { waiters, asked, handed: [...handed].filter((id) => state !== 'open' || open.has(id)) };
}
