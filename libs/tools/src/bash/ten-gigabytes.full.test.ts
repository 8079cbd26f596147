import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const WORKER = fileURLToPath(new URL('../../test/worker-with-output.ts', import.meta.url));

test('10 GB of output: both ends and the size, in constant memory', async () => {
  // In a process of its own, so that no other test counts.
  const worker = spawn(process.execPath, ['--expose-gc', WORKER, 'yes 0123456789abcdef | head -c 10000000000']);
  const [stdout, stderr] = await Promise.all([readAll(worker.stdout), readAll(worker.stderr)]);
  expect(stderr).toBe('');
  const { result, growthBytes } = JSON.parse(stdout) as {
    result: { text: string; isError: boolean };
    growthBytes: number;
  };
  expect(result.isError).toBe(false);
  expect(result.text).toContain('[… cut here: 10000000000 bytes in all, their end follows …]');
  // What waits for the disk while the copy is made counts, and a busy machine lets more wait than the shorter test allows.
  expect(growthBytes).toBeLessThan(32 * 1024 * 1024);
});
