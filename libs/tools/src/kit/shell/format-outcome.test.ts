import { expect, test } from 'vitest';
import { formatOutcome } from './format-outcome.ts';

test('a command that runs on after its time is said to', () => {
  const stream = { text: '', truncated: false };
  const ended = { exitCode: null, signal: null, timedOut: true, timeoutMs: 50, stdout: stream, stderr: stream };
  expect(formatOutcome({ ...ended, unended: true })).toBe(
    '(no output)\n[timed out after 50ms]\n[it could not be ended and still runs: it is another user’s, or stuck in the system]',
  );
});
