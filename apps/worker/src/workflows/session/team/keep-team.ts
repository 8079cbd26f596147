import { condition } from '@temporalio/workflow';
import { teamError, type SessionId } from '@everturn/core/domain';
import { writeFacts } from '../session-facts.ts';
import type { SessionState } from '../session-state.ts';
import { deliverMail, noteRead } from './deliver-mail.ts';
import { finishMember } from './spawn-member.ts';
import { tellWaiters, teamErrand } from './team-desk.ts';

/** A life of a session begins whose log tells of a team: finishes what the one before had begun. */
export function takeUpTeam(session: SessionState): void {
  teamErrand(session, async (desk) => {
    const { team } = desk;
    for (const { id, phase } of team.members) if (phase === 'provisioning') await finishMember(session, desk, id);
    for (const target of new Set(team.pending.map(({ targetId }) => targetId))) {
      await noteRead(session, desk, target);
      await deliverMail(session, desk, target);
    }
  });
}

/** Somebody of the team has come to rest, and may have read what waited for them; what they did not take they may take now. */
export function cameToRest(session: SessionState, who: SessionId): void {
  if (!session.team || session.closing) return;
  teamErrand(session, async (desk) => {
    desk.atWork.delete(who);
    if (who !== desk.team.id && !desk.team.members.some(({ id }) => id === who)) return;
    await noteRead(session, desk, who);
    tellWaiters(session, desk, { kind: 'team', value: { timedOut: false } });
    await deliverMail(session, desk, who);
  });
}

/** Before a session closes: nobody waits for the team any more, and what was being done for it is done. */
export async function endTeam(session: SessionState): Promise<void> {
  const { team } = session;
  if (!team) return;
  const error = teamError('TEAM_DISPOSED', 'the session that leads the team closes, and the team with it');
  tellWaiters(session, team, { kind: 'team-refused', error });
  while (team.errands > 0) {
    await condition(() => team.errands === 0 || session.facts.length > 0);
    if (session.facts.length > 0) await writeFacts(session);
  }
}
