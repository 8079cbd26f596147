import { defineTool, fieldsOf, type CallPresenter } from '../kit/index.ts';

const presentTodos: CallPresenter = (args) => {
  const { todos } = fieldsOf(args);
  return Array.isArray(todos) ? { card: 'generic', title: `Update todo list (${todos.length})` } : undefined;
};

/** Keeps the session's list of tasks. */
export const todoWrite = defineTool({
  name: 'todo_write',
  description: [
    'Keeps a list of the tasks of this work, for planning and for those who watch.',
    'Each call sends the whole list and replaces the one before; nothing is edited in place.',
    'Use it when work takes several steps: one task for each concrete step, written down before you begin. Mark what you are working on `in_progress`, more than one only for what really runs at the same time, and keep at least one so until all is done; mark a task `completed` as soon as it is. A single simple step needs no list.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      todos: {
        type: 'array',
        description: 'All tasks, in order; an empty list clears it.',
        items: {
          type: 'object',
          additionalProperties: false,
          properties: {
            content: { type: 'string', description: 'The task as a short instruction; each may stand there once.' },
            status: {
              type: 'string',
              description: '`pending`: not begun; `in_progress`: being worked on; `completed`: done.',
              enum: ['pending', 'in_progress', 'completed'],
            },
          },
          required: ['content', 'status'],
        },
      },
    },
    required: ['todos'],
  },
  home: 'workflow',
  effect: 'idempotent',
  readOnly: true,
  presentCall: presentTodos,
});
