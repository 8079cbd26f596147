import { expect, test } from 'vitest';
import { AllowedModels, judgeModelWish, type ModelWish } from './index.ts';

const allowed = [
  { provider: 'a', model: 'one' },
  { provider: 'b', model: 'two' },
];
const judge = (wish: ModelWish, more: object = {}) =>
  judgeModelWish({ wish, enabled: true, allowed, providers: ['a', 'c'], efforts: ['low', 'high'], ...more });

test.each<[string, ModelWish, object | undefined, string | undefined]>([
  ['nothing is inherited, whatever the policy', {}, { allowed: undefined, enabled: false }, undefined],
  ['an allowed route', { provider: 'a', model: 'one' }, undefined, undefined],
  ['an allowed route with an effort', { provider: 'a', model: 'one', reasoningEffort: 'low' }, undefined, undefined],
  ['an effort alone', { reasoningEffort: 'high' }, undefined, undefined],
  ['an effort there is not', { reasoningEffort: 'most' }, undefined, 'there is no reasoning effort "most"'],
  ['a model alone', { model: 'one' }, undefined, 'provider and model are given together'],
  ['a provider alone', { provider: 'a' }, undefined, 'provider and model are given together'],
  ['an empty provider', { provider: '', model: 'one' }, undefined, 'provider must not be empty'],
  ['an empty effort', { reasoningEffort: ' ' }, undefined, 'reasoning_effort must not be empty'],
  [
    'a provider outside the policy',
    { provider: 'c', model: 'x' },
    undefined,
    'is not allowed in this session; allowed: a, b',
  ],
  [
    'a provider that is gone',
    { provider: 'b', model: 'two' },
    undefined,
    'provider "b" is not registered; registered: a, c',
  ],
  [
    'another model of an allowed provider',
    { provider: 'a', model: 'x' },
    undefined,
    'model "x" of provider "a" is not allowed',
  ],
  ['a tool that lets nobody choose', { reasoningEffort: 'low' }, { enabled: false }, 'is disabled'],
  ['a session without a policy', { provider: 'a', model: 'one' }, { allowed: undefined }, 'is disabled'],
])('%s', (_name, wish, more, refusal) => {
  const judged = judge(wish, more);
  if (refusal === undefined) expect(judged).toBeUndefined();
  else expect(judged).toContain(refusal);
});

test('a policy names at least one route, and each once', () => {
  expect(AllowedModels.safeParse(allowed).success).toBe(true);
  expect(AllowedModels.safeParse([]).success).toBe(false);
  expect(AllowedModels.safeParse([...allowed, allowed[0]]).success).toBe(false);
});
