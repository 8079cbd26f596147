import type { ArgumentsOf, ToolDefinition } from './define-tool.ts';
import type { DelegationRow } from './delegation-row.ts';
import type { delegationTool } from './delegation-tool.ts';
import { orchestrateTool, type Orchestration, type OrchestrationContext } from './orchestrate-tool.ts';
import type { ReferredResult } from './program-port.ts';

type DelegationTool = ReturnType<typeof delegationTool>;
type Task = DelegationTool extends ToolDefinition<infer P> ? ArgumentsOf<P> : never;

/** The body of a tool that delegates. */
export const orchestrateDelegation = (definition: DelegationTool): Orchestration =>
  orchestrateTool(definition, async (task, context) => ({
    events: [],
    output: { settled: await delegate(rowOf(definition, context), task, context) },
  }));

function rowOf({ name }: ToolDefinition, { settings }: OrchestrationContext): DelegationRow {
  const row = settings.delegation.find(({ toolName }) => toolName === name);
  if (!row) throw new Error(`this deployment does not offer ${name}`);
  return row;
}

async function delegate(row: DelegationRow, task: Task, { children }: OrchestrationContext): Promise<ReferredResult> {
  if (!children) throw new Error(`no agent calls, so none can work for it`);
  const { description, prompt, run_in_background: background } = task;
  for (const [name, value] of Object.entries({ description, prompt }))
    if (value.trim() === '') throw new Error(`invalid ${name}: expected a non-empty string`);
  if (background === true && !row.enableRunInBackground)
    throw new Error('run_in_background is disabled for this tool: leave it out and wait for the result');
  const request = { row, label: description.trim(), prompt };
  return children.run(request);
}
