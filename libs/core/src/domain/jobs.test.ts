import { describe, expect, test } from 'vitest';
import { deliverNotice, isJobOver, jobNotice, JobId, JobState, jobStatusText, type JobSummary } from './jobs.ts';

const job: JobSummary = {
  id: 'bash-1' as JobId,
  kind: 'bash',
  label: 'npm test',
  state: 'completed',
  detail: 'exit code: 0',
};

describe('the completion notice', () => {
  test('names the job, how it ended and where its output is', () => {
    expect(jobNotice(job, 30_000)).toBe(
      'background job bash-1 (bash: npm test) finished [status: completed, exit code: 0]. Read its output with job_output.',
    );
  });

  test.each([64, 80, 120, 130, 200])('keeps id and advice at %i bytes', (limit) => {
    const notice = jobNotice({ ...job, label: '🙂'.repeat(500) }, limit);
    expect(notice).toMatch(/^background job bash-1 .*finished.*Read its output with job_output\.$/);
    expect(notice.isWellFormed()).toBe(true);
    // 64 bytes are the least a deployment may set; the shortest notice needs a few more than a long id leaves.
    expect(Buffer.byteLength(notice)).toBeLessThanOrEqual(Math.max(limit, 64 + job.id.length));
  });
});

test('a status shows its detail only where there is one', () => {
  expect([jobStatusText({ state: 'running' }), jobStatusText({ state: 'killed', detail: 'signal: SIGTERM' })]).toEqual([
    '[status: running]',
    '[status: killed, signal: SIGTERM]',
  ]);
});

test('only the last three states are final', () => {
  expect(JobState.options.filter(isJobOver)).toEqual(['completed', 'killed', 'failed']);
});

test.each([
  ['an idle owner is woken', { owner: 'idle', wakes: 0 }, 'wake'],
  ['the third time, too', { owner: 'idle', wakes: 2 }, 'wake'],
  ['not a fourth time', { owner: 'idle', wakes: 3 }, 'inject'],
  ['a busy owner reads it in its next step', { owner: 'busy', wakes: 0 }, 'inject'],
  ['a parked queue waits for a person', { owner: 'parked', wakes: 0 }, 'inject'],
  ['a quiet deployment wakes nobody', { owner: 'idle', wakes: 0, delivery: 'quiet' }, 'inject'],
] as const)('%s', (_what, input, answer) => {
  expect(deliverNotice({ delivery: 'wakeup', maxWakes: 3, ...input })).toBe(answer);
});

test.each(['bash-1', 'pty-send-12', 'subagent-999999999'])('%s names a job', (id) => {
  expect(JobId.safeParse(id).success).toBe(true);
});
test.each(['', 'bash', 'bash-', '-1', 'bash-1/x', 'Bash-1', 'bash-1234567890', `${'b'.repeat(40)}-1`])(
  '%j names none',
  (id) => expect(JobId.safeParse(id).success).toBe(false),
);
