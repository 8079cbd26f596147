import { CODE_TOOL, defineTool, stringField, type CallPresenter } from '../kit/index.ts';

const presentRun: CallPresenter = (args) => {
  const title = stringField(args, 'description');
  const code = stringField(args, 'code');
  return title === undefined ? undefined : { card: 'generic', title, ...(code !== undefined && { detail: code }) };
};

/** Runs a program that calls tools. */
export const runCode = defineTool({
  name: CODE_TOOL,
  description: [
    'Runs a JavaScript program that calls the other tools as `await tools.<name>({…})` and returns what the program prints and returns.',
    "A call resolves to the tool's result as data and rejects with `ToolCallError` when the tool failed. Calls that are made together, with `Promise.all`, run at the same time where the tools allow it.",
    'Use it where many calls, or their results, are better handled by code than one by one: only what is printed or returned comes back to you.',
    'The program has no files, no network, no timers and no modules of its own; its clock stands still; nothing is kept from one run to the next. It may make 500 calls.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      code: {
        type: 'string',
        description:
          'The body of an async function, in JavaScript or in TypeScript whose types can be erased; `await` and `return` may stand at its top. What it returns must be JSON.',
      },
      description: {
        type: 'string',
        description: 'What the program is for, in five to ten words that start with a verb, for the people who watch.',
      },
      timeoutMs: {
        type: 'number',
        description:
          'Milliseconds of work after which the program is ended, the work of its calls included, the time people take to answer not. Default 120000, at most 600000; a larger number counts as the largest.',
      },
      sandbox_permissions: {
        type: 'string',
        enum: ['workspace-write', 'danger-full-access'],
        description: 'A wider sandbox for the calls of this program alone, which a person has to approve.',
      },
      justification: {
        type: 'string',
        description: 'Why the wider sandbox is needed, in one sentence for the person who decides; needed with it.',
      },
    },
    required: ['code', 'description'],
  },
  home: 'workflow',
  effect: 'at-most-once',
  readOnly: true,
  escalation: 'program',
  presentCall: presentRun,
});
