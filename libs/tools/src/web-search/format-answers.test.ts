import { expect, test } from 'vitest';
import { formatAnswers } from './format-answers.ts';
import { mergeSources } from './merge-sources.ts';

const REMINDER = 'Cite the URLs you use in your answer as markdown links, such as [title](https://example.org/page).';
const source = (name: string) => ({ url: `https://example.org/${name}`, title: name });

test('sources come by rank, in turn, each URL once', () => {
  const lists = [[source('a1'), source('a2'), source('a3')], [source('b1'), source('a1'), source('b3')], []];
  expect(mergeSources(lists, 4)).toEqual({
    sources: [source('a1'), source('b1'), source('a2'), source('a3')],
    truncated: true,
  });
  expect(mergeSources(lists, 5).truncated).toBe(false);
});

test('one query: its answer, then what it rests on', () => {
  const sources = [
    { url: 'https://a.org/x', title: 'A\npage', snippet: 'two\n\nlines', date: '2026-01-02' },
    { url: 'https://b.org/', date: 'May' },
    { url: 'https://c.org/y', snippet: 'only this' },
    { url: 'not a url' },
  ];
  expect(formatAnswers({ answers: [{ query: 'q', answer: 'Because.', sources }], maxResults: 8 })).toBe(
    [
      'Because.',
      [
        'Sources:',
        '- [A page](https://a.org/x) — two lines (2026-01-02)',
        '- [b.org](https://b.org/) — (May)',
        '- [c.org](https://c.org/y) — only this',
        '- [not a url](not a url)',
      ].join('\n'),
      REMINDER,
    ].join('\n\n'),
  );
});

test('several queries: each answer under its query, and no more sources than may be shown', () => {
  const answers = [
    { query: 'one', answer: 'First.', sources: [source('a'), source('b')] },
    { query: 'two', sources: [source('c')] },
    { query: 'three', answer: 'Third.', sources: [] },
  ];
  expect(formatAnswers({ answers, maxResults: 2 })).toBe(
    [
      '### one\n\nFirst.',
      '### three\n\nThird.',
      'Sources:\n- [a](https://example.org/a)\n- [c](https://example.org/c)',
      '(Showing the first 2 sources. Ask more narrowly to see others.)',
      REMINDER,
    ].join('\n\n'),
  );
});

test('nothing found still says how to cite', () => {
  expect(formatAnswers({ answers: [{ query: 'q', sources: [] }], maxResults: 8 })).toBe(
    `No results found.\n\n${REMINDER}`,
  );
});
