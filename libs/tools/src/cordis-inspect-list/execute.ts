import { text } from '@everturn/core/domain';
import { implementTool, inspectProviders } from '../kit/index.ts';
import { cordisInspectList } from './schema.ts';

/** Describes every provider of the session, those of the host first. */
export const executeCordisInspectList = implementTool(cordisInspectList, async (_args, context) => {
  const providers = (await inspectProviders(context)).map(({ platform = 'host', id, description, methods }) => ({
    platform,
    id,
    description,
    methods: methods.map(({ answer: _answer, ...described }) => described),
  }));
  return { content: [text(JSON.stringify({ providers }, null, 2))] };
});
