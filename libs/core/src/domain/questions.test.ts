import { describe, expect, test } from 'vitest';
import { checkAnswers, checkQuestions, type Question } from './questions.ts';

const color: Question = { id: 'color', question: 'Which?', options: [{ label: 'red' }, { label: 'blue' }] };
const sizes: Question = { ...color, id: 'sizes', multi_select: true };
const why: Question = { id: 'why', question: 'Why?' };

describe('answers', () => {
  test.each([
    ['an option', [color], [{ id: 'color', selected: ['red'] }]],
    ['words of one’s own instead', [color], [{ id: 'color', selected: [], custom: 'green' }]],
    ['several, and words', [sizes], [{ id: 'sizes', selected: ['red', 'blue'], custom: 'and green' }]],
    ['free text', [why], [{ id: 'why', selected: [], custom: 'because' }]],
    [
      'in any order',
      [color, why],
      [
        { id: 'why', selected: [], custom: 'x' },
        { id: 'color', selected: ['blue'] },
      ],
    ],
  ])('that fit: %s', (_name, questions, answers) => {
    expect(checkAnswers(questions, answers)).toBeUndefined();
  });

  test.each([
    [
      'one missing',
      [color, why],
      [{ id: 'color', selected: ['red'] }],
      'answers: nothing for "why"; all are answered together',
    ],
    ['none', [color], [], 'answers: nothing for "color"; all are answered together'],
    ['an unknown id', [color], [{ id: 'x', selected: [] }], 'answers[0].id "x" is no question that waits'],
    [
      'one answered twice',
      [color],
      [
        { id: 'color', selected: ['red'] },
        { id: 'color', selected: ['red'] },
      ],
      'answers[1].id "color" is answered twice',
    ],
    ['an unknown label', [color], [{ id: 'color', selected: ['Red'] }], 'answers[0].selected: "Red" is no option'],
    [
      'a label twice',
      [sizes],
      [{ id: 'sizes', selected: ['red', 'red'] }],
      'answers[0].selected: a label occurs twice',
    ],
    [
      'several where one is asked for',
      [color],
      [{ id: 'color', selected: ['red', 'blue'] }],
      'answers[0].selected: one option or "custom", not several',
    ],
    [
      'an option and words where one is asked for',
      [color],
      [{ id: 'color', selected: ['red'], custom: 'x' }],
      'answers[0].selected: one option or "custom", not several',
    ],
    [
      'nothing',
      [color],
      [{ id: 'color', selected: [] }],
      'answers[0].selected: choose an option, or answer in "custom"',
    ],
    [
      'blank words',
      [why],
      [{ id: 'why', selected: [], custom: ' ' }],
      'answers[0].custom must be a non-empty string when given',
    ],
    ['a label without options', [why], [{ id: 'why', selected: ['red'] }], 'answers[0].selected: "red" is no option'],
  ])('that do not fit: %s', (_name, questions, answers, problem) => {
    expect(checkAnswers(questions, answers)).toBe(problem);
  });
});

test.each<[string, Question[], string | undefined]>([
  ['good', [color, why], undefined],
  ['an id twice', [color, color], 'questions[1].id "color" occurs twice'],
  ['a blank id', [{ ...color, id: ' ' }], 'questions[0].id must be a non-empty string'],
  ['a blank question', [{ ...why, question: '' }], 'questions[0].question must be a non-empty string'],
  [
    'a label twice',
    [{ ...why, options: [{ label: 'a' }, { label: 'a' }] }],
    'questions[0].options: a label occurs twice',
  ],
  ['a blank label', [{ ...why, options: [{ label: '' }] }], 'questions[0].options: a label must be a non-empty string'],
])('questions: %s', (_name, questions, problem) => {
  expect(checkQuestions({ questions })).toBe(problem);
});

test('an intent names an option, and what it is about', () => {
  const intent = { kind: 'plan-review', detail: '# Plan', approve: 'red' } as const;
  expect(checkQuestions({ questions: [color], intent })).toBeUndefined();
  expect(checkQuestions({ questions: [color], intent: { ...intent, approve: 'x' } })).toBe(
    'intent.approve "x" is no option of its questions',
  );
  expect(checkQuestions({ questions: [color], intent: { ...intent, detail: ' ' } })).toBe(
    'intent.detail must be a non-empty string',
  );
});
