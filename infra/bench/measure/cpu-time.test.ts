import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { cpuTimeMs } from './cpu-time.ts';

test.runIf(existsSync('/proc/self/stat'))(
  'the time of a busy child counts while it lives and after it ended',
  { timeout: 60_000 },
  async () => {
    const before = cpuTimeMs(process.pid);
    const busy =
      "const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end); console.log('spent'); process.stdin.resume()";
    const child = spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    expect(cpuTimeMs(process.pid) - before).toBeGreaterThanOrEqual(290);
    child.stdin.end();
    await once(child, 'close');
    expect(cpuTimeMs(process.pid) - before).toBeGreaterThanOrEqual(290);
  },
);

test('a process that is not there has no time', () => {
  expect(cpuTimeMs(999_999_999)).toBeNaN();
});
