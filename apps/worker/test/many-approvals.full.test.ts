import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heapAfterCollection, heapProbeEnvironment } from '../../../infra/bench/measure/heap.ts';
import { expectSound } from './support/expect-sound.ts';
import { manyApprovals } from './support/many-approvals.ts';
import { startStack, type Stack } from './support/stack.ts';

const COUNT = 1_000;
const plugin = fileURLToPath(new URL('support/asking-plugin.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'everturn-heap-'));
const heapFile = join(folder, 'heap.json');
let stack: Stack;
beforeAll(
  async () =>
    void (stack = await startStack({ worker: { EVERTURN_PLUGINS: plugin, ...heapProbeEnvironment(heapFile) } })),
);
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const heap = async () => (await heapAfterCollection(stack.worker().pid, heapFile)).heapBytes;

test('1,000 sessions that wait for approval: they cost next to nothing, and all answers end all turns', async () => {
  const approvals = manyApprovals(stack, 'many');
  const first = await approvals.create(5);
  await approvals.ask(first);
  await approvals.end(first);
  const none = await heap();

  const sessions = await approvals.create(COUNT);
  await approvals.ask(sessions);
  const many = await heap();
  expect(many / none).toBeLessThan(1.1);
  expect((await approvals.end(sessions)).every((status) => status < 300)).toBe(true);

  await approvals.ask(sessions);
  await stack.worker().kill9();
  expect(await approvals.answer(sessions)).toEqual([202]);
  await stack.startWorker();
  await approvals.ended(first.length + 2 * COUNT);
  const asked = first.length + 2 * COUNT;
  expect(await Promise.all(['approval/asked', 'approval/decided', 'todo/write'].map(approvals.events))).toEqual([
    asked,
    asked,
    asked,
  ]);
  for (const session of [sessions[0], sessions[COUNT - 1]]) await expectSound(stack, session ?? '');
}, 3_600_000);
