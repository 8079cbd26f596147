import { AGENTS_TOOLSET, withModelChoice, type DelegationRow, type ToolDefinition } from '@everturn/tools/kit';
import type { SessionFacts } from '../context/session-facts.ts';

/** How a deployment's tools that delegate are set up. */
export interface DelegationSetup {
  rows: readonly DelegationRow[];
  /** Names of those who make agents. */
  providers: Pick<ReadonlySet<string>, 'has'>;
}

/** The tools that are for a session, those that delegate as the deployment and the session's policy have them. */
export function toolsFor(
  { header, options }: Pick<SessionFacts, 'header' | 'options'>,
  definitions: readonly ToolDefinition[],
  setup: DelegationSetup,
): ToolDefinition[] {
  const choosing = options.subagentModels !== undefined;
  return definitions.flatMap((tool) => {
    if (tool.audience === 'own-sessions' && header.origin === 'subagent') return [];
    if (tool.audience === 'model-choosers' && !choosing) return [];
    return tool.delegates ? delegationTool(tool, choosing, setup) : [tool];
  });
}

function delegationTool(
  tool: ToolDefinition,
  choosing: boolean,
  { rows, providers }: DelegationSetup,
): ToolDefinition[] {
  const row = rows.find(({ toolName }) => toolName === tool.name);
  if (!row || !providers.has(row.provider)) return [];
  const { run_in_background: _hidden, ...foreground } = tool.parameters.properties ?? {};
  // Agents that stay work beside their parent by nature.
  const background = row.enableRunInBackground || tool.toolset === AGENTS_TOOLSET;
  const parameters = background ? tool.parameters : { ...tool.parameters, properties: foreground };
  return [{ ...tool, parameters: choosing && row.modelSelection ? withModelChoice(parameters) : parameters }];
}
