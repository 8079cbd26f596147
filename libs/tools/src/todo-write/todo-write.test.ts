import type { SessionId } from '@everturn/core/domain';
import { describe, expect, test } from 'vitest';
import { ToolSettings, type OrchestrationContext } from '../kit/index.ts';
import { orchestrations } from '../workflow.ts';

const context: OrchestrationContext = {
  initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
  now: 0,
  settings: ToolSettings.parse({}),
};
const write = (args: unknown, overrides: Partial<OrchestrationContext> = {}) =>
  orchestrations.get('todo_write')!.orchestrate(args, { ...context, ...overrides });
const failed = (message: string, error?: object) => ({
  events: [],
  result: { content: [{ type: 'text', text: `Error: ${message}` }], isError: true, ...(error && { error }) },
});

describe('todo_write', () => {
  test('replaces the list by one event, trimmed', async () => {
    const todos = [
      { content: ' plan ', status: 'completed' },
      { content: 'build', status: 'in_progress' },
      { content: 'test', status: 'in_progress' },
      { content: 'ship', status: 'pending' },
    ];
    expect(await write({ todos })).toEqual({
      events: [{ type: 'todo/write', data: { todos: [{ content: 'plan', status: 'completed' }, ...todos.slice(1)] } }],
      result: {
        content: [{ type: 'text', text: 'Updated todo list: 1 pending, 2 in progress, 1 completed.' }],
        isError: false,
      },
    });
  });

  test('an empty list clears it', async () => {
    expect((await write({ todos: [] })).events).toEqual([{ type: 'todo/write', data: { todos: [] } }]);
  });

  test.each<[string, unknown, string]>([
    ['blank', [{ content: ' ', status: 'pending' }], 'invalid todo: `content` must be a non-empty string'],
    [
      'twice',
      [
        { content: 'a', status: 'pending' },
        { content: ' a ', status: 'completed' },
      ],
      'invalid todos: duplicate content "a"',
    ],
  ])('refuses %s', async (_name, todos, message) => {
    expect(await write({ todos })).toEqual(failed(message));
  });

  test('refuses what the schema does not know', async () => {
    expect(await write({ todos: [{ content: 'a', status: 'done', id: 1 }] })).toEqual(
      failed(
        'invalid arguments: "todos[0].status" must be one of ["pending","in_progress","completed"]; "todos[0].id" is not a declared property (additionalProperties: false)',
        { name: 'ToolArgsError', code: 'INVALID_ARGS' },
      ),
    );
    expect(await write('{"todos":[')).toEqual(
      failed('invalid arguments: "arguments" must be an object', { name: 'ToolArgsError', code: 'INVALID_ARGS' }),
    );
  });

  test('one task at a time where a deployment says so', async () => {
    const settings = ToolSettings.parse({ todo: { allowParallelInProgress: false } });
    const todos = ['a', 'b'].map((content) => ({ content, status: 'in_progress' }));
    expect(await write({ todos }, { settings })).toEqual(
      failed('invalid todos: at most one task may be in_progress (got 2)'),
    );
    expect((await write({ todos: todos.slice(1) }, { settings })).result.isError).toBe(false);
  });

  test('needs a session', async () => {
    const { initiator: _none, ...ownerless } = context;
    expect(await orchestrations.get('todo_write')!.orchestrate({ todos: [] }, ownerless)).toEqual(
      failed('todo_write requires an owning agent session'),
    );
  });
});
