import { text } from '@everturn/core/domain';
import { implementTool, inspectProviders } from '../kit/index.ts';
import { cordisInspectList } from './schema.ts';

/** Describes every provider of the session; all of them are of the platform `host`. */
export const executeCordisInspectList = implementTool(cordisInspectList, async (_args, context) => {
  const providers = (await inspectProviders(context)).map(({ id, description, methods }) => ({
    platform: 'host',
    id,
    description,
    methods: methods.map(({ answer: _answer, ...described }) => described),
  }));
  return { content: [text(JSON.stringify({ providers }, null, 2))] };
});
