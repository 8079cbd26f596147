import { expect, test } from 'vitest';
import { EMPTY_QUEUE, type RequestId, type SessionId } from '@everturn/core/domain';
import { NO_USAGE } from '@everturn/core/protocol';
import { sessionDetails } from './session-details.ts';

const session = {
  input: { session: 's' as SessionId },
  title: '',
  lastTurn: 0,
  parked: false,
  queue: EMPTY_QUEUE,
  usage: NO_USAGE,
  model: '',
  children: {},
};

test('a session is shown with its turn, queue, work and tokens', () => {
  expect(sessionDetails(session, 'idle').split('\n')).toEqual([
    '**`s`** · idle',
    '',
    '- no turn yet',
    '- waiting messages: 0',
    '- steps: 0',
    '- tokens: 0 in (0 of them cached), 0 out',
  ]);
  const busy = {
    ...session,
    title: 'Fix *it*',
    lastTurn: 3,
    running: { number: 3, message: 'r' as RequestId, source: { kind: 'user' as const }, send: () => undefined },
    parked: true,
    usage: { ...NO_USAGE, steps: 14, inputTokens: 1_033_150, cacheReadTokens: 1_000, outputTokens: 412, costUsd: 1.25 },
    model: 'm_1',
    children: Object.fromEntries(Array.from({ length: 22 }, (_, n) => [`c${n}`, ['m' as RequestId]])),
  };
  expect(sessionDetails(busy, 'running').split('\n')).toEqual([
    '**`Fix *it*`** · running',
    '',
    '- turn 3 runs: `session:s/turn:3`',
    '- waiting messages: 0 (parked until the next prompt)',
    `- agents at work: ${Array.from({ length: 20 }, (_, n) => `\`session:c${n}\``).join(', ')}, and 2 more`,
    '- steps: 14',
    '- tokens: 1,034,150 in (1,000 of them cached), 412 out',
    '- cost: $1.2500',
    '- model: `m_1`',
  ]);
});
