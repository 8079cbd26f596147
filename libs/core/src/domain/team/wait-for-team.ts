import type { SessionId } from '../ids.ts';
import { requireMember } from './roster.ts';
import { teamError, type TeamError } from './team-error.ts';
import type { Team } from './team.ts';

/** How long `wait_agent` may wait, and how long it does when not told, in ms. */
export const WAIT_MS = { least: 10_000, most: 3_600_000, usual: 30_000 } as const;

const FIRST_ASK_MS = 60_000;
const LONGEST_ASK_MS = 1_800_000;

/** How long a step without an answer waits before it asks whether its question was heard, after so many times. */
export const nextAskMs = (asked: number): number => Math.min(LONGEST_ASK_MS, FIRST_ASK_MS * 2 ** Math.min(asked, 20));

/** What is wrong with how long somebody would wait, if anything is. */
export function checkWait(timeoutMs: number): TeamError | undefined {
  if (Number.isSafeInteger(timeoutMs) && timeoutMs >= WAIT_MS.least && timeoutMs <= WAIT_MS.most) return undefined;
  return teamError('TEAM_INVALID_TIMEOUT', `timeout_ms: a whole number from ${WAIT_MS.least} to ${WAIT_MS.most}`);
}

/** What `wait_agent` answers. */
export interface WaitResult {
  timedOut: boolean;
  noProgress?: { reason: 'no-active-peer'; message: string };
}

/** An answer at once where nobody else is at work; `undefined`: there is something to wait for. */
export function waitInVain(
  team: Team,
  caller: SessionId,
  isRunning: (session: SessionId) => boolean,
): WaitResult | TeamError | undefined {
  const refused = requireMember(team, caller);
  if (refused) return refused;
  const busy = ({ id, phase }: { id: SessionId; phase: string }) => phase === 'provisioning' || isRunning(id);
  const peers = [{ id: team.id, phase: 'active' }, ...team.members].filter(({ id }) => id !== caller);
  if (peers.some(busy)) return undefined;
  return {
    timedOut: false,
    noProgress: {
      reason: 'no-active-peer',
      message: 'nobody else is at work, so nothing will change by itself: write to somebody, or go on yourself',
    },
  };
}
