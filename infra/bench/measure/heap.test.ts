import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { heapAfterCollection, heapProbeEnvironment } from './heap.ts';

// A thread that keeps 20 MB and has dropped 20 more, beside a main thread that keeps nothing.
const program = `
  import { isMainThread, parentPort, Worker } from 'node:worker_threads';
  const numbers = () => new Array(2_500_000).fill(0.5);
  if (isMainThread) new Worker(new URL(import.meta.url)).once('message', () => console.log('ready'));
  else {
    numbers();
    globalThis.kept = numbers();
    parentPort.on('message', () => {});
    parentPort.postMessage('full');
  }
`;

test('what threads keep counts, what they dropped does not', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'everturn-heap-'));
  const file = join(folder, 'heap.json');
  const env = { ...process.env, ...heapProbeEnvironment(file) };
  writeFileSync(join(folder, 'program.mjs'), program);
  const child = spawn(process.execPath, [join(folder, 'program.mjs')], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    const { heapBytes, threads } = await heapAfterCollection(child.pid ?? 0, file);
    expect(threads).toBe(2);
    expect(heapBytes).toBeGreaterThan(20_000_000);
    expect(heapBytes).toBeLessThan(38_000_000);
  } finally {
    child.kill();
    await once(child, 'close');
    rmSync(folder, { recursive: true });
  }
});
