import { expect, test } from 'vitest';
import { whatIsTooBig } from './what-is-too-big.ts';

const nodes = [
  { seq: 1, tokens: 50 },
  { seq: 4, tokens: 700 },
  { seq: 6, tokens: 60 },
];

test.each([
  [
    { header: 2_000, nodes, contextWindow: 1_500 },
    'the system prompt and the tools alone take about 2000 tokens, and the model holds 1500; choose a model that holds more',
  ],
  [
    { header: 1_000, nodes, contextWindow: 1_500 },
    'event 4 alone takes about 700 tokens, and the model holds 1500; choose a model that holds more',
  ],
  [{ header: 1_000, nodes }, 'event 4 alone takes about 700 tokens; choose a model that holds more'],
  [
    { header: 100, nodes, contextWindow: 900 },
    'the system prompt and the tools take about 100 tokens and the history about 810, and the model holds 900; choose a model that holds more',
  ],
  [
    { header: 100, nodes: [] },
    'the system prompt and the tools take about 100 tokens and the history about 0; choose a model that holds more',
  ],
])('%j', (sizes, said) => {
  expect(whatIsTooBig(sizes)).toBe(said);
});
