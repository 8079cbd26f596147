import { defineTool, fieldsOf, type CallPresenter } from '../kit/index.ts';

const presentSkill: CallPresenter = (args) => {
  const { name } = fieldsOf(args);
  return typeof name === 'string' ? { card: 'generic', title: `Load skill ${name}` } : undefined;
};

/** Gives the model the instructions of one of its skills. */
export const skill = defineTool({
  name: 'skill',
  description: [
    'Loads one of the listed skills: instructions for a kind of task, written by people who know how it is done here.',
    'Call it before you begin a task that a skill in the list fits, and then follow what it says.',
    'What it returns also tells where files that belong to the skill lie.',
    'Only names of the latest list can be loaded; it is read anew each time.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        description: 'The name of a skill exactly as the list of available skills has it, such as `release-notes`.',
      },
    },
    required: ['name'],
  },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
  presentCall: presentSkill,
});
