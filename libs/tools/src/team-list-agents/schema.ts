import { defineTool, TEAM_TOOLSET } from '../kit/index.ts';

/** Shows who belongs to the team. */
export const teamListAgents = defineTool({
  name: 'list_agents',
  toolset: TEAM_TOOLSET,
  description: [
    'Shows your team as JSON, the lead first: `target` (the name to write to), role, status, what each is for and how it was made.',
    '`running` means that a turn runs, `inactive` that none does, which says nothing of success; `provisioning` and `failed` tell of the making of a member. `diagnostics` says what is wrong with one.',
  ].join(' '),
  parameters: { type: 'object', properties: {} },
  home: 'workflow',
  effect: 'idempotent',
  readOnly: true,
});
