import { defineTool } from './define-tool.ts';
import { stringField, type CallPresenter } from './presentation.ts';

const presentTask: CallPresenter = (args) => {
  const title = stringField(args, 'description');
  const detail = stringField(args, 'prompt');
  return title === undefined ? undefined : { card: 'generic', title, ...(detail !== undefined && { detail }) };
};

/** What is particular to one tool that delegates. */
export interface DelegationText {
  name: string;
  toolset?: string;
  /** What it is for. */
  purpose: string;
  /** What the child knows of the caller. */
  prompt: string;
  /** What `run_in_background` does. */
  background: string;
}

/** Declares a tool that gives a task to another agent. */
export const delegationTool = ({ name, toolset, purpose, prompt, background }: DelegationText) =>
  defineTool({
    name,
    ...(toolset !== undefined && { toolset }),
    description: purpose,
    parameters: {
      type: 'object',
      properties: {
        description: { type: 'string', description: 'The task in three to five words, for the people who watch.' },
        prompt: { type: 'string', description: prompt },
        run_in_background: { type: 'boolean', description: background },
      },
      required: ['description', 'prompt'],
    },
    delegates: true,
    home: 'workflow',
    effect: 'at-most-once',
    concurrency: () => 'parallel',
    presentCall: presentTask,
  });
