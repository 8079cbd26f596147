import { describe, expect, test } from 'vitest';
import { findTool } from '../catalog.ts';
import type { ToolExecutionResult } from './tool-result.ts';

const result = (text: string, rest: Partial<ToolExecutionResult> = {}): ToolExecutionResult => ({
  content: [{ type: 'text', text }],
  isError: false,
  ...rest,
});
const hunks = [{ oldText: 'a', newText: 'b' }];

describe('calls', () => {
  test.each<[string, unknown, object | undefined]>([
    ['bash', { command: 'ls', description: 'List files' }, { card: 'terminal', title: 'List files', command: 'ls' }],
    ['read', { file_path: 'a' }, { card: 'generic', title: 'Read a' }],
    ['write', { file_path: 'a', content: 'x' }, { card: 'generic', title: 'Write a' }],
    [
      'edit',
      { file_path: 'f', old_string: 'a', new_string: 'b' },
      { card: 'diff', title: 'Edit f', path: 'f', diffs: hunks },
    ],
    ['glob', { pattern: '*' }, { card: 'generic', title: 'Glob *' }],
    ['grep', { pattern: 'x' }, { card: 'generic', title: 'Grep x' }],
    ['todo_write', { todos: [1, 2] }, { card: 'generic', title: 'Update todo list (2)' }],
  ])('%s', (name, args, view) => {
    const tool = findTool(name);
    expect(tool?.presentCall?.(args)).toEqual(view);
    for (const old of [undefined, null, 'text', [], { file: 1 }, { pattern: 1, command: 1, todos: 'x', file_path: 1 }])
      expect(tool?.presentCall?.(old)).toBeUndefined();
  });
});

describe('results', () => {
  const edit = findTool('edit');
  const args = { file_path: 'f' };
  test.each<[string, ToolExecutionResult, object]>([
    [
      'a change',
      result('ok', { meta: { path: '/f', hunks } }),
      { card: 'diff', title: 'Edit /f', path: '/f', diffs: hunks },
    ],
    [
      'no change',
      result('ok', { meta: { path: '/f', hunks: [] } }),
      { card: 'generic', title: 'Edit /f', detail: 'ok' },
    ],
    ['a failure', result('Error: no', { isError: true }), { card: 'generic', title: 'Edit f', detail: 'Error: no' }],
    [
      'an old shape',
      result('ok', { meta: { hunks: [{ newText: 1 }, 'x'] } }),
      { card: 'generic', title: 'Edit f', detail: 'ok' },
    ],
  ])('%s', (_name, given, view) => {
    expect(edit?.presentResult?.(args, given)).toEqual(view);
  });

  test('an unknown shape has no view', () => {
    expect(edit?.presentResult?.({}, result('x'))).toBeUndefined();
    expect(findTool('bash')?.presentResult?.(null, result('x'))).toBeUndefined();
  });
});
