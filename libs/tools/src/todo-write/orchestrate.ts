import { text, type Todo } from '@everturn/core/domain';
import { orchestrateTool } from '../kit/index.ts';
import { todoWrite } from './schema.ts';

/** Replaces the list by one event; the list itself is what the log says last. */
export const orchestrateTodoWrite = orchestrateTool(todoWrite, ({ todos: given }, { initiator, settings }) => {
  if (!initiator) throw new Error('todo_write requires an owning agent session');
  const todos = given.map(({ content, status }) => ({ content: content.trim(), status }));
  checkTodos(todos, settings.todo.allowParallelInProgress);
  const count = (wanted: Todo['status']) => todos.filter(({ status }) => status === wanted).length;
  const summary = `Updated todo list: ${count('pending')} pending, ${count('in_progress')} in progress, ${count('completed')} completed.`;
  return {
    events: [{ type: 'todo/write', data: { todos } }],
    output: { content: [text(summary)] },
  };
});

function checkTodos(todos: readonly Todo[], allowParallel: boolean): void {
  const seen = new Set<string>();
  for (const { content } of todos) {
    if (content === '') throw new Error('invalid todo: `content` must be a non-empty string');
    if (seen.has(content)) throw new Error(`invalid todos: duplicate content "${content}"`);
    seen.add(content);
  }
  const active = todos.filter(({ status }) => status === 'in_progress').length;
  if (!allowParallel && active > 1)
    throw new Error(`invalid todos: at most one task may be in_progress (got ${active})`);
}
