import { describe, expect, test } from 'vitest';
import { jobOutputText, type ReadOutput } from './job-output-text.ts';

const job = (more: Partial<ReadOutput>): ReadOutput => ({
  stdout: '',
  stderr: '',
  notices: [],
  state: 'running',
  ...more,
});
const LIMIT = 30_000;

describe('what a model reads of a job', () => {
  test.each([
    ['nothing', {}, '(no new output)\n[status: running]'],
    ['output', { stdout: 'a\n' }, 'a\n[status: running]'],
    ['output without a last newline', { stdout: 'a' }, 'a\n[status: running]'],
    ['both streams', { stdout: 'out', stderr: 'err' }, 'out\n[stderr]\nerr\n[status: running]'],
    ['errors alone', { stderr: 'err\n' }, '[stderr]\nerr\n[status: running]'],
    ['the end', { state: 'completed', detail: 'exit code: 0' }, '(no new output)\n[status: completed, exit code: 0]'],
    [
      'a gap with files',
      { stdout: 'tail', dropped: { files: ['/a', '/b'] } },
      'tail\n[some output was dropped from memory; full output: /a, /b]\n[status: running]',
    ],
    [
      'a gap and nothing new: no empty line before the notice',
      { dropped: { files: [] } },
      '[some output was dropped from memory; full output: (unavailable)]\n[status: running]',
    ],
    ['notices', { stdout: 'x', notices: ['[one]', '[two]'] }, 'x\n[one]\n[two]\n[status: running]'],
  ] as [string, Partial<ReadOutput>, string][])('%s', (_what, more, text) => {
    expect(jobOutputText(job(more), LIMIT)).toBe(text);
  });

  test('of too much its end, never at the cost of the status', () => {
    const text = jobOutputText(job({ stdout: `first${'🙂'.repeat(20_000)}last` }), LIMIT);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    expect(text).toMatch(/^🙂+last\n\[output truncated\]\n\[status: running\]$/u);
  });

  test('at the least limit only what matters', () => {
    const ended = job({
      stdout: 'x'.repeat(100),
      state: 'completed',
      detail: 'exit code: 0',
      dropped: { files: ['/long/path'] },
    });
    expect(jobOutputText(ended, 64)).toBe('[output truncated]\n[status: completed, exit code: 0]');
  });
});
