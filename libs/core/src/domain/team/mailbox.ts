import { jsonBytes } from '../history-budget.ts';
import type { SessionId } from '../ids.ts';
import { findMember, requireMember } from './roster.ts';
import { isTeamError, teamError, type TeamError } from './team-error.ts';
import type { TeamFact, TeamMail } from './team-events.ts';
import { nameOf, type PendingMail, type Team, type TeamLimits } from './team.ts';

/** Something that somebody of the team tells another. */
export interface MailWish {
  caller: SessionId;
  /** A new id of its own. */
  id: string;
  target: string;
  content: string;
}

/** Takes a message, which then has to be delivered; or says why not. */
export function queueMail(
  team: Team,
  { caller, id, target, content }: MailWish,
  { maxMessageBytes, maxPendingMessagesPerMember }: TeamLimits,
): TeamMail | TeamError {
  const refused = requireMember(team, caller);
  if (refused) return refused;
  const found = findMember(team, target);
  if (isTeamError(found)) return found;
  if (found.id === caller) return teamError('TEAM_SELF_MESSAGE', 'target: nobody writes to themselves');
  if (found.phase === 'failed')
    return teamError('TEAM_INVALID_TARGET', `target: "${target}" could not be made, so it reads nothing`);
  if (content.trim() === '') return teamError('TEAM_INVALID_ARGUMENT', 'message: a text that says something');
  const senderName = nameOf(team, caller) ?? caller;
  const mail: TeamMail = { id, senderId: caller, senderName, targetId: found.id, delivery: 'wakeup', content };
  const bytes = jsonBytes(mail);
  if (bytes > maxMessageBytes)
    return teamError(
      'TEAM_MESSAGE_TOO_LARGE',
      `message: ${bytes} bytes as it is sent, ${maxMessageBytes} is the most: write it to a file and name that`,
    );
  if (pendingFor(team, found.id).length >= maxPendingMessagesPerMember)
    return teamError(
      'TEAM_MAILBOX_FULL',
      `"${target}" has ${maxPendingMessagesPerMember} messages it has not read: wait until it has`,
    );
  return mail;
}

/** What somebody has been sent and is not known to have read, oldest first. */
export const pendingFor = ({ pending }: Team, target: SessionId): PendingMail[] =>
  pending.filter(({ targetId }) => targetId === target);

/** The event that keeps a message. */
export const queuedFact = (team: Team, message: TeamMail): TeamFact => ({
  type: 'team/message/queued',
  data: { version: 1, teamId: team.id, message },
});

/** The events that say which messages were read. */
export const deliveredFacts = (team: Team, target: SessionId, ids: readonly string[]): TeamFact[] =>
  pendingFor(team, target)
    .filter(({ id }) => ids.includes(id))
    .map(({ id }) => ({
      type: 'team/message/delivered',
      data: { version: 1, teamId: team.id, messageId: id, targetId: target },
    }));

/** What stands before a message in its target's history. */
export const mailHeading = ({ id, senderName }: Pick<TeamMail, 'id' | 'senderName'>): string =>
  `Team message ${id} from ${senderName}:`;
