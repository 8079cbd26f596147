import { expect, test } from 'vitest';
import { chosenModel } from './chosen-model.ts';

const offered = [
  { provider: 'open', models: ['a/b'], unlisted: 'passed-through' as const },
  { provider: 'strict', models: ['x'], unlisted: 'refused' as const },
];

test.each([
  ['', { kind: 'asked' }],
  ['strict/x', { kind: 'chosen', choice: { provider: 'strict', model: 'x' } }],
  ['x', { kind: 'chosen', choice: { provider: 'strict', model: 'x' } }],
  ['a/b', { kind: 'chosen', choice: { provider: 'open', model: 'a/b' } }],
  ['new', { kind: 'chosen', choice: { provider: 'open', model: 'new' } }],
  ['strict/y', { kind: 'refused', text: '"strict" offers no model "y"; there are: x' }],
  ['open/', { kind: 'refused', text: '"open" offers no model ""; there are: a/b' }],
])('%j', (words, expected) => {
  expect(chosenModel(words, { offered, usual: 'open' })).toEqual(expected);
});

test('without a worker only a whole name is one', () => {
  expect(chosenModel('p/m', { offered: [], usual: undefined })).toEqual({
    kind: 'chosen',
    choice: { provider: 'p', model: 'm' },
  });
  expect(chosenModel('m', { offered: [], usual: undefined })).toMatchObject({ kind: 'refused' });
});
