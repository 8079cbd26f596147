import { text } from '@everturn/core/domain';
import { granted, orchestrateTool, requireChildren, requireText } from '../kit/index.ts';
import { interruptAgent } from './schema.ts';

/** Asks, without waiting for the end. */
export const orchestrateInterruptAgent = orchestrateTool(interruptAgent, async (args, context) => {
  const agent = requireText('agent_id', args.agent_id);
  granted(await requireChildren(context).interrupt(agent));
  return { events: [], output: { content: [text(`interrupt requested for agent ${agent}`)] } };
});
