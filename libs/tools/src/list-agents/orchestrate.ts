import { text } from '@everturn/core/domain';
import { orchestrateTool, requireChildren } from '../kit/index.ts';
import { listAgents } from './schema.ts';

/** One line for each agent. */
export const orchestrateListAgents = orchestrateTool(listAgents, async ({ scope = 'children' }, context) => {
  const lines = await requireChildren(context).list(scope);
  return { events: [], output: { content: [text(lines.length === 0 ? '(no subagents)' : lines.join('\n'))] } };
});
