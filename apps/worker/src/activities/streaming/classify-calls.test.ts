import type { CallId, ContentBlock } from '@everturn/core/domain';
import { defineTool, ToolSettings, workflowSettings } from '@everturn/tools/kit';
import { expect, test } from 'vitest';
import type { Offer } from '../../contract/index.ts';
import { classifyCalls, CUT_OFF } from './classify-calls.ts';

const read = defineTool({
  name: 'read',
  description: 'reads',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  home: 'host',
  effect: 'idempotent',
  concurrency: ({ path }) => {
    if (path === 'throw') throw new Error('unsure');
    return path === 'alone' ? 'exclusive' : 'parallel';
  },
});
const write = defineTool({ ...read, name: 'write', concurrency: () => 'exclusive' as const });
const tools = new Map([read, write].map((definition) => [definition.name, { definition }]));

const call = (id: string, name: string, args: string): ContentBlock => ({
  type: 'tool-call',
  id: id as CallId,
  name,
  arguments: args,
});

test('each call is classified by its own tool and arguments', () => {
  const content: ContentBlock[] = [
    { type: 'text', text: 'let me see' },
    call('c1', 'read', '{"path":"a"}'),
    call('c2', 'read', '{"path":"alone"}'),
    call('c3', 'read', '{"path":"throw"}'),
    call('c4', 'read', '{"path":7}'),
    call('c5', 'read', 'not json'),
    call('c6', 'nope', '{"cut'),
    call('c7', 'write', '{"path":"m.md","content":"# Ti'),
  ];
  const told = classifyCalls(content, { view: { tools } });
  expect(told.map(({ callId, index, concurrency, invalid }) => [callId, index, concurrency, invalid])).toEqual([
    ['c1', 0, 'parallel', undefined],
    ['c2', 1, 'exclusive', undefined],
    ['c3', 2, 'exclusive', undefined],
    ['c4', 3, 'exclusive', undefined],
    ['c5', 4, 'exclusive', undefined],
    ['c6', 5, 'exclusive', undefined],
    ['c7', 6, 'exclusive', CUT_OFF],
  ]);
  expect(told[6]?.arguments).toBe('{"path":"m.md","content":"# Ti');
});

test('a tool that needs a mode asks for each call, unless it cannot run or cannot be shown whole', () => {
  const guarded = defineTool({
    ...write,
    name: 'guarded',
    escalation: 'operation',
    requiredMode: 'danger-full-access',
  });
  const known = new Map([['guarded', { definition: guarded }]]);
  const escalationOf = (args: string) =>
    classifyCalls([call('c', 'guarded', args)], { view: { tools: known } }).map(({ escalation }) => escalation)[0];
  expect(escalationOf('{"path":"a"}')).toStrictEqual({
    required: 'danger-full-access',
    operation: 'guarded {"path":"a"}',
  });
  expect(escalationOf('{"path":"a","sandbox_permissions":"danger-full-access","justification":"j"}')).toEqual({
    required: 'danger-full-access',
    operation: 'guarded {"path":"a"}',
    permissions: 'danger-full-access',
    justification: 'j',
  });
  expect(escalationOf('{"path":"a","justification":"half a pair"}')).toStrictEqual({
    required: 'danger-full-access',
    operation: 'guarded {"path":"a"}',
    justification: 'half a pair',
  });
  expect(escalationOf('{"path":7}')).toBeUndefined();
  expect(escalationOf(JSON.stringify({ path: 'x'.repeat(2_000) }))).toBeUndefined();
});

test('each call carries what was offered under its name, and settings only for workflow code', () => {
  const settings = workflowSettings(ToolSettings.parse({}));
  const offered: Offer['tools'] = {
    read: { home: 'host', effect: 'idempotent' },
    plan: { home: 'workflow', effect: 'idempotent' },
  };
  const content = ['read', 'plan', 'write', 'constructor'].map((name, n) => call(`c${n}`, name, '{}'));
  const told = classifyCalls(content, { view: { tools }, offer: { tools: offered, settings } });
  expect(told.map(({ tool }) => tool)).toEqual([
    offered['read'],
    { ...offered['plan'], settings },
    undefined,
    undefined,
  ]);
});
