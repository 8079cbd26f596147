import { availableParallelism } from 'node:os';
import { brokenFile, type WorkerConfig } from '@everturn/core/config';
import { findTool } from '@everturn/tools/catalog';
import { ToolSettings, type DelegationRows } from '@everturn/tools/kit';
import { z } from 'zod';

/** Agents of a script that work at a time, where nobody says. */
const agentsAtATime = (): number => Math.min(16, Math.max(1, availableParallelism() - 2));

/** What tools are told of the deployment; throws `CONFIG_FILE` for a file about agents that cannot be. */
export function toolSettings(config: WorkerConfig): ToolSettings {
  const { agents, jobs, sandbox, web } = config;
  const enableRunInBackground = jobs.background === 'on';
  const parsed = ToolSettings.safeParse({
    web: { searchMaxQueries: web.searchMaxQueries },
    sandbox: { network: sandbox.network, limits: sandbox.limits },
    shell: { enableRunInBackground },
    terminal: { enableRunInBackground },
    jobs: { completionDelivery: jobs.delivery },
    delegation: agents?.delegation,
    team: agents?.team,
    ralph: agents?.ralph,
    workflow: { ...agents?.workflow, maxConcurrentAgents: config.workflowAgents ?? agentsOf(config) },
  });
  if (!parsed.success) throw refuse(config, z.prettifyError(parsed.error));
  const { delegation } = parsed.data;
  const unknown = delegation.filter(({ toolName }) => !findTool(toolName)?.delegates);
  if (unknown.length > 0) throw refuse(config, `delegation: ${unknown.map(nameOf).join(', ')}: ${KNOWN}`);
  return enableRunInBackground ? parsed.data : { ...parsed.data, delegation: inForeground(delegation) };
}

const agentsOf = ({ agents }: WorkerConfig): unknown => agents?.workflow?.['maxConcurrentAgents'] ?? agentsAtATime();
const nameOf = ({ toolName }: DelegationRows[number]): string => `"${toolName}"`;
const KNOWN = 'the tools that delegate are "subagent" and "subagent_fork"';

/** Calls of agents that do one task wait for them. */
const inForeground = (rows: DelegationRows): DelegationRows =>
  rows.map((row) => ({ ...row, enableRunInBackground: false }));

const refuse = ({ agents }: WorkerConfig, why: string): Error =>
  agents ? brokenFile(agents.file, why) : new Error(why);
