import { expect, test } from 'vitest';
import { TooDeep, toMarkdown } from './to-markdown.ts';

test('keeps what people read, and drops scripts, styles and what stands in for scripts', () => {
  const html = `<!doctype html><title>T</title><style>p{}</style><script>alert(1)</script>
    <h1>Head</h1><p>One <b>two</b> <a href="/x?a=1&amp;b=2">three</a></p><noscript>off</noscript>
    <ul><li>a<li>b</ul><pre><code class="language-js">let x;\n</code></pre>`;
  expect(toMarkdown(html, 1000)).toEqual({
    text: '# Head\n\nOne **two** [three](/x?a=1\\&b=2)\n\n* a\n* b\n\n```js\nlet x;\n```\n',
    truncated: false,
  });
});

test('a span of a million cells is one cell', () => {
  const { text } = toMarkdown('<table><tr><th colspan=1000000>a<th>b<tr><td rowspan=1000000>1<td>2</table>', 1000);
  expect(text).toBe('| a | b |\n| - | - |\n| 1 | 2 |\n');
});

test.each([
  ['closed', '<div>'.repeat(600) + '</div>'.repeat(600)],
  ['unclosed', '<div>'.repeat(200_000)],
  ['closed by the wrong name', '<div></span>'.repeat(600)],
  ['behind a broken tag', `<p <b "'>${'<section a=">">'.repeat(600)}`],
  ['inside a table', `<table><tr><td>${'<table><tr><td>'.repeat(300)}`],
])('refuses elements nested too deep, %s', (_how, html) => {
  expect(() => toMarkdown(html, 1000)).toThrow(TooDeep);
});

test('five hundred levels are read', () => {
  expect(toMarkdown(`${'<div>'.repeat(500)}deep`, 1000).text).toBe('deep\n');
});

test('goes no further than the budget of text', () => {
  const { text, truncated } = toMarkdown('<p>0123456789</p>'.repeat(1000), 100);
  expect({ truncated, paragraphs: text.trim().split('\n\n').length }).toEqual({ truncated: true, paragraphs: 11 });
});
