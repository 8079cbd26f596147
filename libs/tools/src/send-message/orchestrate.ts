import { text } from '@everturn/core/domain';
import { granted, orchestrateTool, requireChildren, requireText } from '../kit/index.ts';
import { sendMessage } from './schema.ts';

/** Delivers the message, or says why not. */
export const orchestrateSendMessage = orchestrateTool(sendMessage, async (args, context) => {
  const agent = requireText('agent_id', args.agent_id);
  granted(await requireChildren(context).send(agent, requireText('message', args.message)));
  return { events: [], output: { content: [text(`message delivered to agent ${agent}`)] } };
});
