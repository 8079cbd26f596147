import { expect, test } from 'vitest';
import { summaryOf, summaryOfAll } from './call-summary.ts';

const call = (name: string, args: unknown) => ({ name, arguments: JSON.stringify(args) });
const todos = (...items: [string, string][]) => ({ todos: items.map(([content, status]) => ({ content, status })) });

test.each([
  [call('bash', { command: 'node --test', description: 'Run the\n tests' }), 'bash: Run the tests'],
  [call('bash', { command: 'node --test' }), 'bash: node --test'],
  [call('read', { file_path: 'README.md' }), 'read: README.md'],
  [call('write', { file_path: 'x'.repeat(90) }), `write: ${'x'.repeat(79)}…`],
  [call('todo_write', todos(['look', 'completed'], ['fix', 'in_progress'])), 'todo_write: fix'],
  [call('todo_write', todos(['look', 'completed'], ['fix', 'pending'])), 'todo_write: 1 of 2 done'],
  [call('todo_write', { todos: [null, 1] }), 'todo_write: 0 of 0 done'],
  [{ name: 'bash', arguments: '{"command": "half' }, 'bash'],
  [call('other', { anything: 1 }), 'other'],
])('%j is shown as %s', (given, summary) => expect(summaryOf(given)).toBe(summary));

test('many calls are counted, not listed', () => {
  const calls = ['a', 'b', 'c', 'd', 'e'].map((path) => call('read', { file_path: path }));
  expect(summaryOfAll(calls)).toBe('read: a · read: b · read: c · 2 more');
  expect(summaryOfAll(calls.slice(0, 1))).toBe('read: a');
});
