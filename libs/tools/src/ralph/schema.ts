import { defineTool, stringField, type CallPresenter } from '../kit/index.ts';

const presentLoop: CallPresenter = (args) => {
  const title = stringField(args, 'objective');
  return title === undefined ? undefined : { card: 'generic', title };
};

/** A loop of fresh agents that work on one objective. */
export const ralph = defineTool({
  name: 'ralph',
  description: [
    'Works on one objective in rounds, each by a new agent with an empty context, until one of them reports that all of it is reached or that nobody can go on. The agents share the workspace; besides that each knows only the objective and the report of the round before.',
    'Returns when the loop is over, with the last report. It may run for a long time and costs as much as all its rounds: call it only when the user explicitly asks for a Ralph loop or for unattended work in rounds.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      objective: {
        type: 'string',
        description:
          'What is to be reached, with everything an agent needs to know of it and how to tell that it is reached; no agent sees this conversation, and none may change it.',
      },
      maxRounds: {
        type: 'number',
        description:
          'Rounds after which the loop ends with work remaining; a whole number from 1 to 256. Default 64. A deployment may have other limits, which a refusal names.',
      },
    },
    required: ['objective'],
  },
  home: 'workflow',
  effect: 'at-most-once',
  presentCall: presentLoop,
});
