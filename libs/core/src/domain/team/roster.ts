import type { SessionId } from '../ids.ts';
import { isTeamError, teamError, type TeamError } from './team-error.ts';
import { LEAD, MemberName, type TeamFact, type TeamMember } from './team-events.ts';
import { memberCalled, nameOf, type Team, type TeamLimits } from './team.ts';

/** Whom the lead would like to have. */
export interface SpawnWish {
  caller: SessionId;
  /** Reserved for the session that is to be made. */
  id: SessionId;
  name: string;
  description: string;
  /** Its first task. */
  prompt: string;
  context: TeamMember['context'];
  provider: string;
}

/** Takes a member on, which then has to be made; or says why not. */
export function spawnMember(
  team: Team,
  { caller, name, description, prompt, ...rest }: SpawnWish,
  { maxMembers }: Pick<TeamLimits, 'maxMembers'>,
): TeamError | TeamMember {
  const refused = requireLead(team, caller);
  if (refused) return refused;
  if (!MemberName.safeParse(name).success)
    return teamError(
      'TEAM_INVALID_MEMBER_NAME',
      `name: "${name}" is no name of a member: lower-case words and digits joined by single dashes, at most 64 characters, not "${LEAD}"`,
    );
  const about = description.trim();
  if (about === '' || about.length > 200)
    return teamError('TEAM_INVALID_ARGUMENT', 'description: one line that says something, at most 200 characters');
  if (prompt.trim() === '') return teamError('TEAM_INVALID_ARGUMENT', 'prompt: the whole first task');
  if (memberCalled(team, name))
    return teamError('TEAM_MEMBER_NAME_TAKEN', `name: "${name}" was given before, and no name is given twice`);
  if (team.members.length >= maxMembers)
    return teamError(
      'TEAM_MEMBER_LIMIT',
      `a team has at most ${maxMembers} members, failed ones among them: give the work to one of those there are`,
    );
  return { name, description: about, ...rest, phase: 'provisioning' };
}

/** What became of a member that was being made; nothing where that is known already. */
export function provisioned(
  team: Team,
  member: SessionId,
  outcome: { phase: 'active' } | { phase: 'failed'; error: string },
): TeamMember | undefined {
  const found = team.members.find(({ id }) => id === member);
  return found?.phase === 'provisioning' ? { ...found, ...outcome } : undefined;
}

/** The event that says how a member stands. */
export const memberFact = (team: Team, member: TeamMember): TeamFact => ({
  type: 'team/member',
  data: { version: 1, teamId: team.id, member },
});

/** Whose turn the lead may end: a member that is there. */
export function interruptible(team: Team, caller: SessionId, target: string): TeamError | TeamMember {
  const refused = requireLead(team, caller);
  if (refused) return refused;
  const found = findMember(team, target);
  if (isTeamError(found)) return found;
  if (!('name' in found)) return teamError('TEAM_INVALID_TARGET', 'target: the lead cannot interrupt itself');
  return found.phase === 'active'
    ? found
    : teamError('TEAM_INVALID_TARGET', `target: "${target}" is ${found.phase}, so it does nothing`);
}

/** Whom a target means. */
export function findMember(team: Team, target: string): TeamError | NonNullable<ReturnType<typeof memberCalled>> {
  if (target.trim() === '') return teamError('TEAM_INVALID_TARGET', 'target: the name of a member, or "lead"');
  return (
    memberCalled(team, target) ??
    teamError('TEAM_MEMBER_NOT_FOUND', `target: nobody in the team is called "${target}"; list_agents shows who is`)
  );
}

/** Refuses whoever is not of the team. */
export function requireMember(team: Team, caller: SessionId): TeamError | undefined {
  return nameOf(team, caller) === undefined
    ? teamError('TEAM_NOT_MEMBER', 'only the lead of the team and its members may do this')
    : undefined;
}

function requireLead(team: Team, caller: SessionId): TeamError | undefined {
  if (caller === team.id) return undefined;
  return requireMember(team, caller) ?? teamError('TEAM_LEAD_REQUIRED', 'only the lead of the team may do this');
}

/** What a member is told of itself before its first task. */
export const memberGuidance = (name: string): string =>
  `You are "${name}", a member of a team that shares this workspace. "lead" has made you and gives you the task below; list_agents shows who else there is. Write to any of them by name with send_message. When you have finished, the lead is told so with your last message, and you may be written to again.`;
