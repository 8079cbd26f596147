import { isModelWish, text } from '@everturn/core/domain';
import type { ArgumentsOf, ToolDefinition } from './define-tool.ts';
import type { DelegationRow } from './delegation-row.ts';
import type { delegationTool } from './delegation-tool.ts';
import { modelWishOf } from './model-choice.ts';
import { orchestrateTool, type Orchestration, type OrchestrationContext } from './orchestrate-tool.ts';
import type { ReferredResult } from './program-port.ts';
import { AGENTS_TOOLSET, granted, requireChildren, requireText } from './require-children.ts';

type DelegationTool = ReturnType<typeof delegationTool>;
type Task = DelegationTool extends ToolDefinition<infer P> ? ArgumentsOf<P> : never;

/** The body of a tool that delegates. */
export const orchestrateDelegation = (definition: DelegationTool): Orchestration =>
  orchestrateTool(definition, async (task, context) => ({
    events: [],
    output: { settled: await delegate(rowOf(definition, context), task, context) },
  }));

/** A deployment's row for the tool; in sessions with the set agents stay, whatever the row says. */
function rowOf({ name, toolset }: ToolDefinition, { settings }: OrchestrationContext): DelegationRow {
  const row = settings.delegation.find(({ toolName }) => toolName === name);
  if (!row) throw new Error(`this deployment does not offer ${name}`);
  return toolset === AGENTS_TOOLSET ? { ...row, backgroundMode: 'continuable', enableRunInBackground: true } : row;
}

async function delegate(row: DelegationRow, task: Task, context: OrchestrationContext): Promise<ReferredResult> {
  const children = requireChildren(context);
  const wish = modelWishOf(task);
  const request = {
    row,
    ...(isModelWish(wish) && { wish }),
    label: requireText('description', task.description).trim(),
    prompt: requireText('prompt', task.prompt),
  };
  const { enableRunInBackground: enabled, backgroundMode: mode } = row;
  if (task.run_in_background === true && !enabled)
    throw new Error('run_in_background is disabled for this tool: leave it out and wait for the result');
  if (!enabled || !(task.run_in_background ?? mode === 'continuable')) return children.run(request);
  if (mode === 'one-shot') {
    const { job } = granted(await children.background(request));
    return { content: [text(`started background subagent job ${job}`)], isError: false };
  }
  const { child } = granted(await children.start(request));
  return { content: [text(`started subagent ${child}`)], isError: false };
}
