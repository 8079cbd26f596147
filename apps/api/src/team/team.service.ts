import { Inject, Injectable } from '@nestjs/common';
import { memberCalled, pendingFor, viewMembers, viewTask } from '@everturn/core/domain';
import { readTeam, teamRows, type Database } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { TeamView } from './team-shapes.ts';

/** Reads teams from the logs of their leads. */
@Injectable()
export class TeamService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  async read({ tenant, session }: SessionKey): Promise<TeamView> {
    const row = await this.access.find({ tenant, session });
    const lead = (row.options as SessionOptions).delegation?.team?.lead ?? session;
    const team = await readTeam(this.database, { tenant, session: lead });
    const rows = await teamRows(this.database, { tenant, sessions: [lead, ...team.members.map(({ id }) => id)] });
    return {
      teamId: lead,
      members: viewMembers(team, (id) => rows.get(id)).map((member) => {
        const id = memberCalled(team, member.target)?.id ?? lead;
        return { ...member, session: id, unread: pendingFor(team, id).length };
      }),
      tasks: team.tasks.filter(({ status }) => status !== 'deleted').map((task) => viewTask(team, task)),
    };
  }
}
