import { expect, test } from 'vitest';
import type { TurnEndReason } from '@everturn/core/domain';
import { diagnosticOf } from './diagnostic-of.ts';

const failed = (message: string) => ({ kind: 'error', step: 1, failure: { code: 'SERVER', message } }) as TurnEndReason;

test('what is known of a cause is cut at 4,096 bytes, between two characters', () => {
  expect(diagnosticOf(failed('it broke'), 'otherwise')).toBe('SERVER: it broke');
  expect(diagnosticOf(undefined, 'otherwise')).toBe('otherwise');
  const long = diagnosticOf(failed('ä'.repeat(4_096))) ?? '';
  expect([Buffer.byteLength(long), long.endsWith('ä')]).toEqual([4_096, true]);
});
