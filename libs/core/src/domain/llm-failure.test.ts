import { expect, test } from 'vitest';
import { isLlmError, LlmError } from './llm-error.ts';
import { llmFailure } from './llm-failure.ts';

test('a failure is validated and frozen', () => {
  const failure = llmFailure({ message: 'slow down', code: 'RATE_LIMIT', status: 429, providerRetryAfterMs: 0.5 });
  expect([failure, Object.isFrozen(failure)]).toEqual([
    { message: 'slow down', code: 'RATE_LIMIT', status: 429, providerRetryAfterMs: 0.5 },
    true,
  ]);
});

test.each([
  [{ status: 99 }, 'failure.status'],
  [{ status: 600 }, 'failure.status'],
  [{ status: 404.5 }, 'failure.status'],
  [{ providerRetryAfterMs: 0 }, 'failure.providerRetryAfterMs'],
  [{ providerRetryAfterMs: Number.POSITIVE_INFINITY }, 'failure.providerRetryAfterMs'],
  [{ code: '' }, 'failure.code'],
  [{ cause: 'x' }, 'cause'],
])('refuses %o', (fields, named) => {
  expect(() => llmFailure({ message: 'm', code: 'SERVER', ...fields })).toThrow(
    expect.objectContaining({ code: 'DOMAIN_INVALID_FAILURE', message: expect.stringContaining(named) }),
  );
});

test('only our own error classifies a failure', () => {
  const cause = new Error('socket');
  const error = new LlmError({ message: 'cut', code: 'TRANSPORT' }, { cause });
  expect([isLlmError(error), error.failure, error.cause]).toEqual([true, { message: 'cut', code: 'TRANSPORT' }, cause]);
  expect(
    [Object.assign(new Error('x'), { code: 'TRANSPORT', failure: {} }), undefined, 'TRANSPORT'].map(isLlmError),
  ).toEqual([false, false, false]);
  const ofAnotherRealm = { [Symbol.for('everturn.LlmError')]: true, failure: error.failure };
  expect(isLlmError(ofAnotherRealm)).toBe(true);
});
