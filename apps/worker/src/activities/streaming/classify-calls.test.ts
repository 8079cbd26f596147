import type { BlobRef, CallId, ContentBlock, TenantId } from '@everturn/core/domain';
import { defineTool, ToolSettings, workflowSettings } from '@everturn/tools/kit';
import { expect, test } from 'vitest';
import type { Offer } from '../../contract/index.ts';
import type { Values } from '../context/values.ts';
import { classifyCalls, CUT_OFF } from './classify-calls.ts';
import { travellingCalls } from './model-outcome.ts';

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

test('what the log is to have of a call beforehand goes with it, by reference where its arguments do', async () => {
  const asking = defineTool({
    ...read,
    name: 'asking',
    announce: ({ path }) => {
      if (path === 'throw') throw new Error('unsure');
      const told = { endpoint: 'http://x', apiVersion: '1', body: { path } };
      return [{ type: 'web/deepseek-search-llm-request', data: told }];
    },
  });
  const known = { view: { tools: new Map([['asking', { definition: asking }]]) } };
  const long = 'x'.repeat(20_000);
  const content = ['a', 'throw', 7, long].map((path, n) => call(`c${n}`, 'asking', JSON.stringify({ path })));
  const calls = classifyCalls([...content, call('cut', 'asking', '{"path":"a')], known);
  expect(calls.map(({ announced }) => announced?.map(({ data }) => data))).toMatchObject([
    [{ body: { path: 'a' } }],
    undefined,
    undefined,
    [{ body: { path: long } }],
    undefined,
  ]);
  const stored: unknown[] = [];
  const store = async (_tenant: TenantId, value: unknown) => ({ $blob: `${stored.push(value)}`, bytes: 1 }) as BlobRef;
  const travel = async (tenant: TenantId, value: unknown) =>
    JSON.stringify(value).length > 1_000 ? store(tenant, value) : value;
  const values = { store, travel } as unknown as Values;
  const [short, , , heavy] = await travellingCalls(calls, { values, tenant: 'acme' as TenantId });
  expect(short?.announced).toEqual(calls[0]?.announced);
  expect(heavy).toMatchObject({ arguments: { $blob: '1' }, announced: [{ data: { body: { $blob: '2' } } }] });
  expect(stored[1]).toEqual({ path: long });
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
