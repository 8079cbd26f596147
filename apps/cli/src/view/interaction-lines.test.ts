import { expect, test } from 'vitest';
import { answersOf } from '../commands/answer.ts';
import { interactionLines } from './interaction-lines.ts';

test('an approval says of what, why, and how it is answered, on lines no terminal acts on', () => {
  const request = { toolName: 'bash', reason: 'it must\u001b[2J' };
  expect(interactionLines('ses', { id: 't1.s1.c0', kind: 'approval', state: 'open', request })).toEqual([
    't1.s1.c0  approval  open',
    '  bash: it must␛[2J',
    '  everturn approve ses t1.s1.c0   or   everturn deny ses t1.s1.c0',
  ]);
});

test('a review shows the plan before its options', () => {
  const questions = [{ id: 'plan-review', question: 'Shall it?', options: [{ label: 'Approve' }] }];
  const request = { questions, intent: { kind: 'plan-review', detail: '# Plan\n1. go' } };
  expect(interactionLines('ses', { id: 'q', kind: 'question', state: 'open', request })).toEqual([
    'q  question  open',
    '  # Plan',
    '  1. go',
    '  plan-review: Shall it?',
    '    - Approve',
    '  everturn answer ses --id q --select question=label',
  ]);
});

test('answers are put together by question', () => {
  expect(answersOf(['color=red', 'color=a=b', 'size=L'], ['size=wide'])).toEqual([
    { id: 'color', selected: ['red', 'a=b'] },
    { id: 'size', selected: ['L'], custom: 'wide' },
  ]);
  expect(() => answersOf([], [])).toThrow('there is no answer');
  expect(() => answersOf(['red'], [])).toThrow('names no question');
});
