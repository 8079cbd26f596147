import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { heapAfterCollection, heapProbeEnvironment } from './heap.ts';

// A thread that keeps 20 MB and has dropped 20 more, beside a main thread that keeps nothing.
const thread = `
  const numbers = () => Array.from({ length: 2_500_000 }, (_, n) => n + 0.5);
  numbers();
  globalThis.kept = numbers();
  require('node:worker_threads').parentPort.on('message', () => {});
  require('node:worker_threads').parentPort.postMessage('full');
`;
const program = `
  const thread = new (require('node:worker_threads').Worker)(${JSON.stringify(thread)}, { eval: true });
  thread.once('message', () => console.log('ready'));
`;

test('what threads keep counts, what they dropped does not', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'everturn-heap-'));
  const file = join(folder, 'heap.json');
  const env = { ...process.env, ...heapProbeEnvironment(file) };
  const child = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const { heapBytes, threads } = await heapAfterCollection(child.pid ?? 0, file);
  expect(threads).toBe(2);
  expect(heapBytes).toBeGreaterThan(20_000_000);
  expect(heapBytes).toBeLessThan(38_000_000);
  child.kill();
  await once(child, 'close');
  rmSync(folder, { recursive: true });
});
