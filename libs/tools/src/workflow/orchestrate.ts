import type { JsonObject } from '@everturn/core/domain';
import {
  MAX_TIMER_MS,
  orchestrateTool,
  requireChildren,
  ToolError,
  type DelegationRow,
  type WorkflowSettings,
} from '../kit/index.ts';
import { checkMeta } from './check-meta.ts';
import { workflow } from './schema.ts';

/** How a script's agents are made: with all that the session itself has. */
const rowOf = ({ workflow: { provider } }: WorkflowSettings): DelegationRow => ({
  provider,
  toolName: workflow.name,
  modelSelection: false,
  enableRunInBackground: false,
  backgroundMode: 'one-shot',
  maxDepth: 3,
});

const failed = (message: string) => new ToolError('WORKFLOW_FAILED', `workflow run failed: ${message}`);

/** Checks what the model wrote about its script, and has it run. */
export const orchestrateWorkflow = orchestrateTool(workflow, async ({ script, meta, args }, context) => {
  requireChildren(context);
  const problems = checkMeta(meta as JsonObject);
  if (problems.length > 0) throw failed(`META_INVALID: ${problems.join('; ')}`);
  if (/^\s*export\s+const\s+meta\b/.test(script))
    throw failed(
      'SCRIPT_PARSE: the script is a body without exports; what stands in "export const meta" goes into the argument meta',
    );
  if (!context.program) throw new Error('no program can be run for this call');
  const request = {
    kind: 'workflow',
    code: script,
    // Agents may take days; only the script's own work is bounded, where it runs.
    timeoutMs: MAX_TIMER_MS,
    script: { name: meta.name, ...(args && { args }), row: rowOf(context.settings) },
  } as const;
  return { events: [], output: { settled: await context.program.run(request) } };
});
