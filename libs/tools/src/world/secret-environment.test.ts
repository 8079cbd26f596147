import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

const WORKER = fileURLToPath(new URL('../../test/worker-with-secrets.ts', import.meta.url));
const SECRETS = {
  OPENAI_API_KEY: 'sk-"quoted" $(id) `id` \\ value\nsecond line',
  DATABASE_URL: 'postgres://user:pass-word@host/db',
  X_NEW_SECRET: 'EVERTURN_END_OF_ENVIRONMENT'.repeat(300),
};

interface Report {
  pid: number;
  sealed: string;
  secrets: Record<string, string>;
  outputs: string[];
}

async function runWorker(
  commands: string[],
): Promise<{ pid: number; report: Report; stderr: string; code: number | null }> {
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8', ...SECRETS };
  const worker = spawn(process.execPath, ['--no-warnings', WORKER, ...commands], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => worker.once('exit', resolve));
  const [stdout, stderr] = await Promise.all([text(worker.stdout), text(worker.stderr)]);
  const code = await exited;
  expect(stderr).toBe('');
  return { pid: worker.pid ?? 0, report: JSON.parse(stdout) as Report, stderr, code };
}

test.skipIf(process.platform !== 'linux')(
  'commands see no secret, neither in their environment nor in their parent’s',
  async () => {
    const { pid, report, code } = await runWorker([
      'env',
      'cat /proc/$PPID/environ',
      'cat /proc/$PPID/cmdline',
      'for p in $(pgrep -P $PPID); do cat /proc/$p/environ; done 2>/dev/null',
      'ls -l /proc/$PPID/fd /proc/self/fd; cat <&9 2>/dev/null',
    ]);
    expect(code).toBe(0);
    expect(report.secrets).toEqual({
      key: SECRETS.OPENAI_API_KEY,
      url: SECRETS.DATABASE_URL,
      other: SECRETS.X_NEW_SECRET,
    });
    expect([report.pid, report.sealed]).toEqual([pid, 'sealed']);
    const [environment, parent] = report.outputs;
    expect(environment).toContain('LANG=C.UTF-8');
    expect(parent).toContain('LANG=C.UTF-8');
    for (const output of report.outputs)
      for (const trace of [
        'sk-',
        'second line',
        'pass-word',
        'END_OF_ENVIRONMENT',
        'X_NEW_SECRET',
        'DATABASE_URL',
        'OPENAI_API_KEY',
      ])
        expect(output).not.toContain(trace);
  },
);
