import { expect, test } from 'vitest';
import { OWNER_DISPOSED, sayWhy } from './say-why.ts';

const killed = { state: 'killed', detail: 'signal: SIGTERM' } as const;
const failed = { state: 'failed', detail: 'not started' } as const;

test.each([
  ['a process that was killed', killed, 'bash', 'not needed', 'signal: SIGTERM'],
  ['a process whose session closed', killed, 'bash', OWNER_DISPOSED, 'owner disposed'],
  ['an agent that was killed', killed, 'subagent', 'not needed', 'not needed'],
  ['an agent that was killed without a word', killed, 'subagent', undefined, 'signal: SIGTERM'],
  ['an agent whose session closed', killed, 'subagent', OWNER_DISPOSED, 'owner disposed'],
  ['one that had ended by then', failed, 'subagent', OWNER_DISPOSED, 'not started'],
] as const)('%s', (_what, end, kind, reason, detail) => expect(sayWhy(end, { kind, reason }).detail).toBe(detail));

test('a long reason is cut', () =>
  expect(sayWhy(killed, { kind: 'subagent', reason: 'x'.repeat(10_000) }).detail?.length).toBe(500));
