import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { errorChain } from './error-chain.ts';

const cyclic = new Error('round');
cyclic.cause = cyclic;

test.each([
  [
    'a whole chain',
    new Error('fetch failed', { cause: new Error('connect', { cause: 'ECONNREFUSED' }) }),
    'fetch failed: connect: ECONNREFUSED',
  ],
  [
    'an aggregate',
    new AggregateError([new Error('v6'), new Error('v4', { cause: new Error('refused') })], 'all failed'),
    'all failed: [v6; v4: refused]',
  ],
  ['an aggregate without a message', new AggregateError([new Error('a'), 'b']), '[a; b]'],
  ['an error of another realm', runInNewContext('new TypeError("far", { cause: new Error("away") })'), 'far: away'],
  ['a cycle', cyclic, 'round: …'],
  ['a plain object', { code: 7 }, '{"code":7}'],
  ['no error at all', undefined, 'undefined'],
])('%s', (_what, error, expected) => {
  expect(errorChain(error)).toBe(expected);
});
