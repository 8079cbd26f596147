import type { SessionId } from '../ids.ts';
import { LEAD } from './team-events.ts';
import type { Team } from './team.ts';

/** What the rows of sessions tell of somebody of the team. */
export interface MemberRow {
  running: boolean;
  model?: string;
}

/** Somebody of the team as `list_agents` shows them. */
export interface MemberView {
  target: string;
  role: 'lead' | 'member';
  status: 'running' | 'inactive' | 'provisioning' | 'failed';
  description?: string;
  provider?: string;
  context?: 'fresh' | 'fork';
  model?: string;
  /** What is wrong with it. */
  diagnostics: string[];
}

/** Everybody, the lead first; `rowOf` knows who is at work. */
export function viewMembers(team: Team, rowOf: (session: SessionId) => MemberRow | undefined): MemberView[] {
  const seen = (row: MemberRow | undefined) => ({
    status: row?.running ? ('running' as const) : ('inactive' as const),
    ...(row?.model !== undefined && { model: row.model }),
  });
  return [
    { target: LEAD, role: 'lead', ...seen(rowOf(team.id)), diagnostics: [] },
    ...team.members.map(({ id, name, phase, description, provider, context, error }): MemberView => {
      const row = rowOf(id);
      const missing = phase === 'active' && !row ? ['its session is gone'] : [];
      return {
        target: name,
        role: 'member',
        ...seen(row),
        ...(phase !== 'active' && { status: phase }),
        description,
        provider,
        context,
        diagnostics: error === undefined ? missing : [error, ...missing],
      };
    }),
  ];
}
