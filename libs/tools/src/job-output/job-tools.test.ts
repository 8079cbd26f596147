import type { JobId, SessionId } from '@everturn/core/domain';
import { describe, expect, test } from 'vitest';
import { ToolSettings, type JobRead, type JobsPort, type OrchestrationContext } from '../kit/index.ts';
import { orchestrations } from '../workflow.ts';

const context: OrchestrationContext = {
  initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
  now: 0,
  settings: ToolSettings.parse({}),
};
const job = (state: 'running' | 'stopping' | 'completed' | 'killed', detail?: string) => ({
  id: 'bash-1' as JobId,
  kind: 'bash',
  label: 'make',
  state,
  ...(detail !== undefined && { detail }),
});

/** A session's jobs as they answer, and how long they were waited for. */
function jobsThat({ read = { kind: 'read', text: 'read' } as JobRead, found = [job('running')] } = {}) {
  const waits: (number | undefined)[] = [];
  const port: JobsPort = {
    list: async () => found,
    read: async (_id, waitMs) => (waits.push(waitMs), read),
    kill: async () => found[0],
  };
  const call = async (tool: string, args: object, jobs: JobsPort | undefined = port) => {
    const { result } = await orchestrations.get(tool)!.orchestrate(args, { ...context, ...(jobs && { jobs }) });
    return (result.content as { text: string }[])[0]?.text;
  };
  return { call, waits };
}

describe('job_list', () => {
  test.each([
    ['none', [], '(no background jobs)'],
    [
      'some',
      [job('running'), { ...job('stopping'), id: 'pwsh-2' as JobId }],
      'bash-1 [bash] running — make\npwsh-2 [bash] stopping — make',
    ],
  ])('%s', async (_what, found, text) => {
    expect(await jobsThat({ found }).call('job_list', {})).toBe(text);
  });
});

describe('job_output', () => {
  test('waits only when asked to, half a minute by itself, ten at most', async () => {
    const { call, waits } = jobsThat();
    for (const args of [
      {},
      { timeout_ms: 5 },
      { wait: true },
      { wait: true, timeout_ms: 5 },
      { wait: true, timeout_ms: 1e9 },
    ])
      expect(await call('job_output', { job_id: 'bash-1', ...args })).toBe('read');
    expect(waits).toEqual([undefined, undefined, 30_000, 5, 600_000]);
  });

  test.each([
    [{ job_id: ' ' }, undefined, 'Error: invalid job_id: expected a non-empty string, got " "'],
    [{ job_id: 'bash-1', timeout_ms: 0 }, undefined, 'Error: invalid timeout_ms: expected a positive number, got 0'],
    [
      { job_id: 'bash-1', wait: true, timeout_ms: -1 },
      undefined,
      'Error: invalid timeout_ms: expected a positive number, got -1',
    ],
    [{ job_id: 'bash-9' }, { kind: 'unknown' } as const, 'Error: unknown job bash-9'],
    [{ job_id: 'bash-1', wait: true }, { kind: 'aborted' } as const, 'Error: wait aborted'],
  ])('refuses %j', async (args, read, text) => {
    expect(await jobsThat(read && { read }).call('job_output', args)).toBe(text);
  });
});

describe('job_kill', () => {
  test.each([
    ['running', [job('running')], 'requested cancellation of job bash-1'],
    ['one that is told already', [job('stopping')], 'requested cancellation of job bash-1'],
    ['over', [job('completed', 'exit code: 3')], 'job bash-1 had already finished [status: completed, exit code: 3]'],
    [
      'killed before',
      [job('killed', 'signal: SIGTERM')],
      'job bash-1 had already finished [status: killed, signal: SIGTERM]',
    ],
    ['unknown', [], 'Error: unknown job bash-1'],
  ])('%s', async (_what, found, text) => {
    expect(await jobsThat({ found }).call('job_kill', { job_id: 'bash-1' })).toBe(text);
  });

  test('a blank id, and a call that has no jobs', async () => {
    const { call } = jobsThat();
    expect(await call('job_kill', { job_id: '' })).toBe('Error: invalid job_id: expected a non-empty string, got ""');
    const { result } = await orchestrations.get('job_list')!.orchestrate({}, context);
    expect(JSON.stringify(result)).toContain('background jobs unavailable: no job controller serves this call');
  });
});
