import { defineTool, fieldsOf, type CallPresenter } from '../kit/index.ts';

const presentQuestions: CallPresenter = (args) => {
  const { questions } = fieldsOf(args);
  if (!Array.isArray(questions)) return undefined;
  const { header, question } = fieldsOf(questions[0]);
  const about = [header, question].find((words) => typeof words === 'string' && words !== '');
  return { card: 'generic', title: typeof about === 'string' ? `Ask the user: ${about}` : 'Ask the user' };
};

/** Puts questions to a person and waits for the answers. */
export const askUserQuestion = defineTool({
  name: 'ask_user_question',
  description: [
    'Asks the person you work for one or more questions and waits, for days if need be, until all are answered.',
    'Use it when only they can decide and the answer changes what you do next: a choice between real alternatives, a requirement that is missing, a risk they must accept. Do not ask what you can find out yourself, nor whether you may use a tool.',
    'Offer options where you know the likely answers; the person may always answer in their own words instead.',
    'The result is JSON: `{"answers":[{"id","selected":[labels],"custom"?}]}`.',
    'An agent that works for another agent cannot ask: it puts the question into its final result.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      questions: {
        type: 'array',
        description: 'The questions, at least one; they are shown and answered together.',
        items: {
          type: 'object',
          additionalProperties: true,
          properties: {
            id: {
              type: 'string',
              description: 'Your name for the question; its answer comes back under it. Each once.',
            },
            question: { type: 'string', description: 'What you want to know, as a full sentence.' },
            header: { type: 'string', description: 'A title of one to three words, for displays.' },
            options: {
              type: 'array',
              description: 'Answers to pick from; without any, the answer is free text.',
              items: {
                type: 'object',
                additionalProperties: true,
                properties: {
                  label: {
                    type: 'string',
                    description: 'The answer in a few words; it comes back as it stands here. Each once.',
                  },
                  description: { type: 'string', description: 'What choosing it means.' },
                },
                required: ['label'],
              },
            },
            multi_select: { type: 'boolean', description: 'Whether several options may be chosen; default false.' },
          },
          required: ['id', 'question'],
        },
      },
    },
    required: ['questions'],
  },
  home: 'workflow',
  effect: 'idempotent',
  readOnly: true,
  presentCall: presentQuestions,
});
