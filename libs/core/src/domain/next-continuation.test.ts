import { describe, expect, test } from 'vitest';
import { defaultContinuation, nextContinuation } from './next-continuation.ts';

describe('continuation', () => {
  test('goes on exactly while the model has something new to read', () => {
    expect(defaultContinuation({ toolCalls: 0, steered: 0 })).toEqual({ kind: 'stop' });
    expect(defaultContinuation({ toolCalls: 2, steered: 0 })).toEqual({ kind: 'continue' });
    expect(defaultContinuation({ toolCalls: 0, steered: 1 })).toEqual({ kind: 'continue' });
  });

  test.each([
    ['stop', 0, 'none', { kind: 'stop', steering: 'keep' }],
    ['stop', 1, 'none', { kind: 'continue' }],
    ['continue', 0, 'none', { kind: 'continue' }],
    ['continue', 3, 'requested', { kind: 'stop', steering: 'discard' }],
    ['stop', 1, 'requested', { kind: 'stop', steering: 'discard' }],
  ] as const)('%s, %i waiting, terminal stop %s', (kind, pendingSteering, terminalStop, expected) => {
    expect(nextContinuation({ decision: { kind }, pendingSteering, terminalStop })).toEqual(expected);
  });
});
