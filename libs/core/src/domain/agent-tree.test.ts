import { expect, test } from 'vitest';
import { agentLines, preOrder, routeMessage, undelivered, type AgentRow, type SessionId } from './index.ts';

const id = (text: string) => text as SessionId;
const at = (n: number) => new Date(n);
const continuable = (label: string) => ({ version: 2, mode: 'continuable', provider: 'spawn', label });

const rows: AgentRow[] = [
  { id: id('b'), parent: id('root'), createdAt: at(2), running: false, descriptors: [continuable('second')] },
  { id: id('a'), parent: id('root'), createdAt: at(2), running: true, descriptors: [continuable('first')] },
  {
    id: id('one'),
    parent: id('root'),
    createdAt: at(1),
    running: false,
    descriptors: [{ version: 2, mode: 'one-shot', provider: 'spawn' }],
  },
  { id: id('deep'), parent: id('one'), createdAt: at(5), running: true, descriptors: [continuable('below')] },
  { id: id('odd'), parent: id('a'), createdAt: at(6), running: false, descriptors: [{ ...continuable('x'), more: 1 }] },
  { id: id('new'), parent: id('a'), createdAt: at(7), running: false, descriptors: [{ version: 3 }] },
  { id: id('lost'), parent: id('a'), createdAt: at(8), running: false, descriptors: 'unavailable' },
  { id: id('young'), parent: id('root'), createdAt: at(9), running: true, descriptors: [] },
];

test('siblings stand by creation and id, each before what is below it', () => {
  expect(preOrder(id('root'), rows).map((row) => [row.id, row.depth])).toEqual([
    ['one', 1],
    ['deep', 2],
    ['a', 1],
    ['odd', 2],
    ['new', 2],
    ['lost', 2],
    ['b', 1],
    ['young', 1],
  ]);
});

test('direct agents that stay are listed; what cannot be read only among all below', () => {
  expect(agentLines(id('root'), rows, 'children')).toEqual(['a [running] — first', 'b [inactive] — second']);
  expect(agentLines(id('root'), rows, 'descendants')).toEqual([
    'deep [running] — below parent=one depth=2',
    'a [running] — first parent=root depth=1',
    'odd [diagnostic: corrupt] parent=a depth=2',
    'new [diagnostic: unsupported] parent=a depth=2',
    'lost [diagnostic: unavailable] parent=a depth=2',
    'b [inactive] — second parent=root depth=1',
  ]);
});

test.each([
  ['its own child', { caller: 'p', owner: undefined, target: { id: 'c', parent: 'p', mode: 'continuable' } }, 'down'],
  ['its parent', { caller: 'c', owner: 'p', target: { id: 'p' } }, 'up'],
  ['a parent it does not stay with', { caller: 'c', owner: undefined, target: { id: 'p' } }, 'UNAUTHORIZED'],
  ['a sibling', { caller: 'c', owner: 'p', target: { id: 'd', parent: 'p', mode: 'continuable' } }, 'UNAUTHORIZED'],
  ['a child of a child', { caller: 'p', owner: undefined, target: { id: 'e', parent: 'c' } }, 'UNAUTHORIZED'],
  ['nobody', { caller: 'p', owner: undefined, target: undefined }, 'UNAUTHORIZED'],
  ['itself', { caller: 'p', owner: 'o', target: { id: 'p', parent: 'o', mode: 'continuable' } }, 'UNAUTHORIZED'],
  [
    'a child of one task',
    { caller: 'p', owner: undefined, target: { id: 'c', parent: 'p', mode: 'one-shot' } },
    'NOT_RESUMABLE',
  ],
  [
    "another's child of one task",
    { caller: 'p', owner: undefined, target: { id: 'c', parent: 'q', mode: 'one-shot' } },
    'UNAUTHORIZED',
  ],
] as const)('an agent that writes to %s', (_who, input, answer) => {
  const route = routeMessage(input as never);
  expect(route.kind === 'refused' ? route.code : route.kind).toBe(answer);
});

const refused = (code: string) => ({ kind: 'refused' as const, code, message: 'why' });
test.each([
  [
    'its parent, which is gone',
    'up',
    { kind: 'gone' as const },
    'PARENT_UNAVAILABLE',
    'agent x is gone; nothing was delivered',
  ],
  ['its parent, which closes', 'up', refused('SESSION_CLOSED'), 'DRAINING', 'why; nothing was delivered'],
  ['its child, which closes', 'down', refused('SESSION_CLOSED'), 'ACTIVATION_CLOSING', 'why; nothing was delivered'],
  ['its parent, whose queue is full', 'up', refused('QUEUE_FULL'), 'ACTIVATION_CLOSING', 'why; nothing was delivered'],
] as const)('a message to %s was not delivered', (_who, route, answer, code, message) =>
  expect(undelivered(route, id('x'), answer)).toEqual({ code, message }),
);
