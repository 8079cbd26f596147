import { defineTool, fieldsOf, type CallPresenter } from '../kit/index.ts';

const presentRun: CallPresenter = (args) => {
  const { name, description } = fieldsOf(fieldsOf(args)['meta']);
  if (typeof name !== 'string') return undefined;
  return {
    card: 'generic',
    title: `Workflow ${name}`,
    ...(typeof description === 'string' && { detail: description }),
  };
};

/** Runs a script that has many agents work. */
export const workflow = defineTool({
  name: 'workflow',
  description: [
    'Runs a JavaScript script that has many agents work, and returns what the script returns. Use it for work that falls into many independent parts, where writing the orchestration down once is better than delegating part by part.',
    'The script is the body of an async function. It has: `agent(prompt, opts?)`, which runs one agent to its end and resolves to its last words, or with `opts.schema` (an object schema of type, properties, required, additionalProperties, items, enum, const, oneOf) to data that fits it, or to null when the agent failed; further options are `label`, `phase`, `provider` and `model`.',
    '`parallel(thunks)` runs functions at the same time and waits for all; `pipeline(items, ...stages)` takes each item through the stages `(value, item, index)` on its own. In both an error of yours makes the slot null. `phase(title)` names what follows, `log(message)` tells those who watch, `args` is what you pass.',
    'Errors of the engine (limits, bad arguments, an agent that could not be started) are not null: they end the run unless the script catches them. At most 1000 agents a run; a few work at the same time, the others wait.',
    'The script has no files, no network, no timers and no modules; its agents have your tools. It goes on where it was when a worker dies.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      script: {
        type: 'string',
        description:
          'The body of an async function in plain JavaScript; `await` and `return` may stand at its top. What it returns must be JSON.',
      },
      meta: {
        type: 'object',
        additionalProperties: true,
        description: 'What the run is, for the people who watch.',
        properties: {
          name: { type: 'string', description: 'A short name.' },
          description: { type: 'string', description: 'What it does, in a sentence.' },
          whenToUse: { type: 'string', description: 'When such a run is the right thing.' },
          phases: {
            type: 'array',
            description: 'The phases it goes through.',
            items: {
              type: 'object',
              additionalProperties: true,
              properties: {
                title: { type: 'string', description: 'As `phase()` names it.' },
                detail: { type: 'string', description: 'What happens in it.' },
                provider: { type: 'string', description: 'Whose model its agents have, for the people who watch.' },
                model: { type: 'string', description: 'Which model its agents have, for the people who watch.' },
              },
              required: ['title'],
            },
          },
        },
        required: ['name', 'description'],
      },
      args: {
        type: 'object',
        additionalProperties: true,
        description: 'What the script finds as `args`. Default: nothing.',
      },
    },
    required: ['script', 'meta'],
  },
  home: 'workflow',
  effect: 'at-most-once',
  promptSection: {
    name: 'tool:workflow',
    order: 115,
    text: 'Use workflow only when the person you work for asks for it explicitly.',
  },
  presentCall: presentRun,
});
