import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Benchmark } from '../benchmark.ts';
import { type HeapReport, heapAfterCollection, heapProbeEnvironment } from '../measure/heap.ts';
import { percentile } from '../measure/statistics.ts';
import { type Application } from '../stack/application.ts';
import { benchPaths } from '../stack/paths.ts';
import { timeToFirstByte } from './first-byte.ts';

/** So many sessions are created beside one another. */
const atOnce = 20;
const plan = { toolSteps: 0, chunks: 1, everyMs: 0 };

/** What sessions that wait cost the worker. */
export const idle: Benchmark = {
  name: 'idle',
  title: 'Heap of the worker with many idle sessions, and the way back of one that was evicted',
  async run(bench) {
    const { count, idleMs, woken } = sizeOf(bench);
    const application = await bench.application();
    const file = join(benchPaths().scratch, 'heap.json');
    await application.restartWorker(heapProbeEnvironment(file));
    const measure = () => heapAfterCollection(application.pids().worker, file);
    try {
      await runSessions(application, 3);
      const none = await measure();
      const ids: string[] = [];
      while (ids.length < count) {
        bench.tell(`${ids.length} of ${count} sessions`);
        ids.push(...(await runSessions(application, Math.min(atOnce, count - ids.length))));
      }
      bench.tell(`${count} sessions idle for ${idleMs / 1000} s`);
      await pause(idleMs);
      const many = await measure();
      bench.tell('waking the oldest');
      const delays: number[] = [];
      for (const id of ids.slice(0, woken)) delays.push(await timeToFirstByte(application, id));
      return [...heapFigures(count, none, many), wakingFigure(delays)];
    } finally {
      await application.restartWorker();
    }
  },
};

function sizeOf({ size }: Bench): { count: number; idleMs: number; woken: number } {
  return size === 'quick' ? { count: 60, idleMs: 2_000, woken: 5 } : { count: 2_000, idleMs: 60_000, woken: 40 };
}

async function runSessions({ api, createSessions }: Application, count: number): Promise<string[]> {
  const ids = await createSessions(count, plan);
  await Promise.all(ids.map((id) => api.runTurn(id)));
  return ids;
}

function heapFigures(count: number, none: HeapReport, many: HeapReport) {
  const note = `${many.threads} threads; heaps of all of them, after collection`;
  const floor = none.heapBytes;
  return [
    {
      name: `heap with ${count} idle sessions`,
      unit: 'bytes',
      value: many.heapBytes,
      floor,
      target: { of: 'ratio', atMost: 1.1 },
      note,
    },
    { name: 'memory outside the heap', unit: 'bytes', value: many.externalBytes, floor: none.externalBytes },
    { name: 'resident memory', unit: 'bytes', value: many.residentBytes, floor: none.residentBytes },
  ] as const;
}

function wakingFigure(delays: readonly number[]) {
  const note = `p95 ${Math.round(percentile(delays, 95))} ms; ${delays.length} sessions, the longest idle ones`;
  const name = 'request to first byte at the provider, evicted session, p50';
  return { name, unit: 'ms', value: percentile(delays, 50), note } as const;
}
