import { uuid4 } from '@temporalio/workflow';
import {
  findMember,
  isTeamError,
  pendingFor,
  queuedFact,
  queueMail,
  type SessionId,
  type TeamReply,
  type TeamRules,
} from '@everturn/core/domain';
import type { SessionState } from '../session-state.ts';
import { deliverMail, noteRead } from './deliver-mail.ts';
import type { TeamDesk } from './open-desk.ts';
import { write } from './team-desk.ts';

interface Sending {
  caller: SessionId;
  target: string;
  message: string;
  rules: TeamRules;
}

/** Keeps a message, and hands it to its target if that takes it now. */
export async function sendMail(
  session: SessionState,
  desk: TeamDesk,
  { caller, target, message, rules }: Sending,
): Promise<TeamReply> {
  const id = `team-message-${uuid4()}`;
  const found = findMember(desk.team, target);
  // What looks full may have been read meanwhile.
  if (!isTeamError(found) && pendingFor(desk.team, found.id).length >= rules.maxPendingMessagesPerMember)
    await noteRead(session, desk, found.id);
  const mail = queueMail(desk.team, { caller, id, target, content: message }, rules);
  if (isTeamError(mail)) return { kind: 'team-refused', error: mail };
  await write(session, desk, [queuedFact(desk.team, mail)]);
  await deliverMail(session, desk, mail.targetId);
  const waits = desk.team.pending.some((other) => other.id === id) && !desk.handed.has(id);
  return { kind: 'team', value: { messageId: id, status: waits ? 'queued' : 'accepted' } };
}
