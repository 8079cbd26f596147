import type { Stack } from './stack.ts';

/** How many events the history of each run has, of a workflow and of all whose ids begin with its id. */
export async function runSizes(stack: Stack, workflowId: string): Promise<{ id: string; events: number }[]> {
  const sizes: { id: string; events: number }[] = [];
  const { workflow } = stack.client;
  for await (const { workflowId: id, runId } of workflow.list({ query: `WorkflowId STARTS_WITH "${workflowId}"` }))
    sizes.push({ id, events: (await workflow.getHandle(id, runId).describe()).historyLength });
  return sizes;
}
