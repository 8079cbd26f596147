import type { Bench, Benchmark } from '../benchmark.ts';
import { monotonicMs } from '../measure/clock.ts';
import { percentile } from '../measure/statistics.ts';
import { stampsIn } from '../model/plan.ts';
import { followText } from '../stack/follow-text.ts';

const heartbeatTimeoutMs = 3_000;
const chunksBefore = 10;
const everyMs = 50;

/** How long a client waits when the worker is killed while a model streams. */
export const recovery: Benchmark = {
  name: 'recovery',
  title: 'From kill -9 of the worker, restarted at once, to the next chunk',
  async run(bench) {
    const rounds = bench.size === 'quick' ? 1 : 5;
    const delays: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      bench.tell(`crash ${round} of ${rounds}`);
      delays.push(await crashOnce(bench));
    }
    const atMost = heartbeatTimeoutMs + 4_000;
    const note = `the worst of ${rounds}; median ${Math.round(percentile(delays, 50))} ms`;
    const value = Math.max(...delays);
    return [{ name: 'kill -9 to the next chunk', unit: 'ms', value, target: { of: 'value', atMost }, note }];
  },
};

async function crashOnce(bench: Bench): Promise<number> {
  const { api, createSessions, crashWorker } = await bench.application();
  const [id = ''] = await createSessions(1, { toolSteps: 0, chunks: 1_200, everyMs });
  const ended = new AbortController();
  const streaming = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<number>();
  let crashedAt = Number.POSITIVE_INFINITY;
  let received = 0;
  // Only what was sent after the crash has gone through the new worker.
  await followText(api, id, ended.signal, ({ text, at }) => {
    received += 1;
    if (received === chunksBefore) streaming.resolve();
    if (stampsIn(text).some((sentAt) => sentAt > crashedAt)) resumed.resolve(at);
  });
  await api.prompt(id);
  await within(streaming.promise, 'no chunks before the crash');
  crashedAt = monotonicMs();
  await crashWorker();
  const at = await within(resumed.promise, 'no chunk after the crash');
  await api.cancel(id);
  ended.abort();
  return at - crashedAt;
}

async function within<T>(awaited: Promise<T>, otherwise: string): Promise<T> {
  const overdue = Promise.withResolvers<never>();
  const timer = setTimeout(() => overdue.reject(new Error(`${otherwise} within two minutes`)), 120_000);
  try {
    return await Promise.race([awaited, overdue.promise]);
  } finally {
    clearTimeout(timer);
  }
}
