import type { SessionId } from '../ids.ts';
import { LEAD, type TeamFact, type TeamMail, type TeamMember, type TeamTask } from './team-events.ts';

/** A message that is not known to stand in its target's log; what it says the lead's log keeps. */
export type PendingMail = Omit<TeamMail, 'content'>;

/** A lead, whoever works for it, and what they have before them. */
export interface Team {
  /** The lead's session. */
  id: SessionId;
  /** In the order in which they joined. */
  members: readonly TeamMember[];
  /** In the order of their numbers, deleted ones too. */
  tasks: readonly TeamTask[];
  /** In the order in which it was sent. */
  pending: readonly PendingMail[];
}

/** A lead without anybody. */
export const newTeam = (id: SessionId): Team => ({ id, members: [], tasks: [], pending: [] });

/** How much of everything a team may have. */
export interface TeamLimits {
  /** Failed ones count. */
  maxMembers: number;
  /** Deleted ones do not count. */
  maxTasks: number;
  maxPendingMessagesPerMember: number;
  /** UTF-8 bytes of a message as it is sent. */
  maxMessageBytes: number;
}

/** The team after one event of its lead's log; events of another team change nothing. */
export function applyTeamFact(team: Team, { type, data }: TeamFact): Team {
  if (data.teamId !== team.id) return team;
  switch (type) {
    case 'team/member':
      return { ...team, members: put(team.members, data.member) };
    case 'team/task':
      return { ...team, tasks: put(team.tasks, data.task) };
    case 'team/message/queued': {
      const { content: _, ...mail } = data.message;
      return { ...team, pending: put(team.pending, mail) };
    }
    case 'team/message/delivered':
      return { ...team, pending: team.pending.filter(({ id }) => id !== data.messageId) };
  }
}

/** The team that the events of a log make. */
export const foldTeam = (id: SessionId, facts: readonly TeamFact[]): Team => facts.reduce(applyTeamFact, newTeam(id));

function put<T extends { id: string }>(list: readonly T[], item: T): T[] {
  const at = list.findIndex(({ id }) => id === item.id);
  return at === -1 ? [...list, item] : list.with(at, item);
}

/** What somebody of the team is called; `undefined` for others. */
export function nameOf(team: Team, session: SessionId): string | undefined {
  return session === team.id ? LEAD : team.members.find(({ id }) => id === session)?.name;
}

/** Whom a name means: the lead, a member, or nobody. */
export function memberCalled(
  team: Team,
  target: string,
): Pick<TeamMember, 'id' | 'phase'> | Readonly<TeamMember> | undefined {
  if (target === LEAD) return { id: team.id, phase: 'active' };
  return team.members.find(({ name }) => name === target);
}
