import { expect, test } from 'vitest';
import { SHELL_PROMPT as PROMPT } from '../../kit/index.ts';
import { TerminalScreen } from './terminal-screen.ts';

const MARK = '\u001B]133;D;3;n0nce\u0007';

test.each([
  ['whole', [`${MARK}${PROMPT}`]],
  ['mark and prompt apart', [MARK, PROMPT]],
  ['both cut through', [MARK.slice(0, 7), `${MARK.slice(7)}ever`, 'turn', '> ']],
])('a prompt is one once all of it is there: %s', (_how, chunks) => {
  const screen = new TerminalScreen({ nonce: 'n0nce', maxLines: 10, maxCharacters: 1_000 });
  screen.print('before\n');
  const seen = chunks.map((chunk) => {
    screen.print(chunk);
    return [screen.prompt.count, screen.isAtPrompt];
  });
  expect(seen).toEqual(chunks.map((_, n) => (n === chunks.length - 1 ? [1, true] : [0, false])));
  expect([screen.prompt.status, screen.beforePrompt()]).toEqual([3, 'before\n']);
  screen.print(PROMPT); // a program prints the same words
  expect([screen.prompt.count, screen.isAtPrompt]).toEqual([1, false]);
  screen.print(MARK.replace('n0nce', 'guess') + PROMPT);
  expect(screen.prompt.count).toBe(1);
});
