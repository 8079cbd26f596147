import type { SessionId } from '../ids.ts';
import type { TeamFact, TeamMember, TeamTask } from './team-events.ts';
import { foldTeam, type Team, type TeamLimits } from './team.ts';

/** For tests: a session's id as it stands. */
export const sid = (id: string): SessionId => id as SessionId;

/** For tests: what we ship. */
export const LIMITS: TeamLimits = {
  maxMembers: 8,
  maxTasks: 256,
  maxPendingMessagesPerMember: 64,
  maxMessageBytes: 65_536,
};

/** For tests: a member of the team of `lead`. */
export const member = (name: string, change: Partial<TeamMember> = {}): TeamMember => ({
  id: sid(`sub-${name}`),
  name,
  description: `does ${name}`,
  provider: 'spawn',
  context: 'fresh',
  phase: 'active',
  ...change,
});

/** For tests: a task nobody has. */
export const task = (n: number, change: Partial<TeamTask> = {}): TeamTask => ({
  id: `task-${n}`,
  revision: 1,
  subject: `subject ${n}`,
  description: `description ${n}`,
  status: 'pending',
  blockedBy: [],
  writeScopes: [],
  ...change,
});

/** For tests: the team these make, by way of its log. */
export function teamOf({ members = [], tasks = [] }: { members?: TeamMember[]; tasks?: TeamTask[] }): Team {
  const common = { version: 1, teamId: sid('lead-session') } as const;
  const facts: TeamFact[] = [
    ...members.map((each): TeamFact => ({ type: 'team/member', data: { ...common, member: each } })),
    ...tasks.map((each): TeamFact => ({ type: 'team/task', data: { ...common, task: each } })),
  ];
  return foldTeam(common.teamId, facts);
}
