import {
  getTask,
  isTeamError,
  listTasks,
  requireMember,
  text,
  viewMembers,
  type SessionId,
  type Team,
  type TeamAnswer,
  type TeamError,
  type TeamQuestion,
} from '@everturn/core/domain';
import { readTeam, teamRows } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** What somebody of a team wants to know, from the log of its lead. */
export async function answerTeam(
  { database, values }: Pick<ActivityDeps, 'database' | 'values'>,
  { tenant, session: caller, lead, question }: SessionRef & { lead: SessionId; question: TeamQuestion },
): Promise<TeamAnswer> {
  const team = await readTeam(database, { tenant, session: lead });
  const rows = (of: Team) => teamRows(database, { tenant, sessions: [lead, ...of.members.map(({ id }) => id)] });
  const answer = await read();
  if (isTeamError(answer)) return { kind: 'refused', error: answer };
  return { kind: 'answered', content: await values.travel(tenant, [text(JSON.stringify(answer))]) };

  async function read(): Promise<object | TeamError> {
    switch (question.about) {
      case 'members': {
        const refused = requireMember(team, caller);
        if (refused) return refused;
        const known = await rows(team);
        return viewMembers(team, (id) => known.get(id));
      }
      case 'task':
        return getTask(team, caller, question.taskId);
      case 'tasks':
        return listTasks(team, caller, question.filter);
    }
  }
}
