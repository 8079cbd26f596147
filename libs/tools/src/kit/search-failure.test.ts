import { expect, test } from 'vitest';
import type { ProcessOutcome } from './processes-port.ts';
import { assertSearched } from './search-failure.ts';

const captured = (text: string, truncated = false) => ({ text, truncated }) as ProcessOutcome['stdout'];
const ended = (how: Partial<ProcessOutcome>): ProcessOutcome => ({
  exitCode: 2,
  signal: null,
  timedOut: false,
  aborted: false,
  stdout: captured(''),
  stderr: captured(''),
  ...how,
});

test.each([0, 1])('exit %d is an answer', (exitCode) => {
  expect(() => assertSearched('grep', ended({ exitCode, stderr: captured('a warning') }))).not.toThrow();
});

test.each<[string, Partial<ProcessOutcome>, string, string]>([
  ['a failure', { stderr: captured('no such file\n') }, 'SEARCH_FAILED', 'grep search failed (exit 2): no such file'],
  ['one without a word', {}, 'SEARCH_FAILED', 'grep search failed (exit 2): ripgrep said nothing'],
  [
    'a signal',
    { exitCode: null, signal: 'SIGKILL' },
    'SEARCH_FAILED',
    'grep search failed (killed by SIGKILL): ripgrep said nothing',
  ],
  [
    'more words than are kept',
    { stderr: captured('the end', true) },
    'SEARCH_FAILED',
    'grep search failed (exit 2): the end (error output truncated)',
  ],
  [
    'a pattern that is none',
    { stderr: captured('rg: regex parse error: unclosed group') },
    'SEARCH_INVALID_PATTERN',
    'grep pattern rejected by ripgrep: rg: regex parse error: unclosed group',
  ],
  [
    'too much, whatever its exit',
    { exitCode: 0, stdout: captured('x', true) },
    'SEARCH_RAW_OUTPUT_OVERFLOW',
    'grep found more than can be processed; narrow the pattern or the path',
  ],
  ['a cancel, above all', { aborted: true, stdout: captured('x', true) }, 'SEARCH_ABORTED', 'grep search aborted'],
])('%s', (_what, how, code, message) => {
  expect(() => assertSearched('grep', ended(how))).toThrow(expect.objectContaining({ code, message }));
});
