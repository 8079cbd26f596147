import { defineTool } from '../kit/index.ts';

/** Reads the session's goal. */
export const getGoal = defineTool({
  name: 'get_goal',
  description:
    'Reads the goal of this session as JSON: its id, revision, objective, phase, rounds begun and rounds allowed, and whether rounds follow each other by themselves (`activation`); {"goal":null} when there is none. Read it before you change it: a change names the revision it is made from.',
  parameters: { type: 'object', properties: {} },
  home: 'workflow',
  effect: 'idempotent',
  promptSection: {
    name: 'tool:goal',
    order: 114,
    text: 'A goal is worked on in rounds, one turn after another, until it is complete, blocked or out of rounds. Create one only when the person asks for it. Mark it complete only with evidence from files and tool results that all of it is reached.',
  },
});
