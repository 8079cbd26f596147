import { expect, test } from 'vitest';
import { classifyCall } from './classify-call.ts';
import { defineTool, type ToolDefinition } from './define-tool.ts';

const definition = defineTool({
  name: 'probe',
  description: 'A tool of this test.',
  parameters: {
    type: 'object',
    properties: { text: { type: 'string' }, count: { type: 'number' } },
    required: ['text'],
  },
  home: 'host',
  effect: 'idempotent',
});
const args = { text: 'x' };

const parallel = defineTool({ ...definition, concurrency: ({ count }) => (count === 1 ? 'exclusive' : 'parallel') });
const throwing = defineTool({
  ...definition,
  concurrency: () => {
    throw new Error('no');
  },
});
test.each<[string, ToolDefinition | undefined, string, string]>([
  ['parallel', parallel, JSON.stringify(args), 'parallel'],
  ['by its arguments', parallel, JSON.stringify({ ...args, count: 1 }), 'exclusive'],
  ['bad arguments', parallel, '{}', 'exclusive'],
  ['no JSON', parallel, '{"te', 'exclusive'],
  ['no classifier', definition, JSON.stringify(args), 'exclusive'],
  ['a throw', throwing, JSON.stringify(args), 'exclusive'],
  ['an unknown tool', undefined, '{}', 'exclusive'],
])('%s', (_name, tool, raw, expected) => {
  expect(classifyCall(tool, raw)).toBe(expected);
});
