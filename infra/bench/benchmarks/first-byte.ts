import type { Benchmark, Figure } from '../benchmark.ts';
import { monotonicMs } from '../measure/clock.ts';
import { percentile } from '../measure/statistics.ts';
import type { Application } from '../stack/application.ts';

const sessions = 5;

/** How long after the client asked the provider hears of it. */
export const firstByte: Benchmark = {
  name: 'first-byte',
  title: 'From the enqueuing request to the first byte at the provider, warm sessions',
  async run(bench) {
    const application = await bench.application();
    const ids = await application.createSessions(sessions, { toolSteps: 0, chunks: 1, everyMs: 0 });
    for (const id of ids) await application.api.runTurn(id);
    const prompts = bench.size === 'quick' ? 20 : 150;
    bench.tell(`${prompts} prompts, one after the other`);
    const delays: number[] = [];
    for (let n = 0; n < prompts; n += 1) delays.push(await timeToFirstByte(application, ids[n % sessions] ?? ''));
    return delayFigures('request to first byte at the provider', delays, { p50: 180, p95: 300 });
  },
};

/** Prompts a session and answers how long it took until the provider heard of it, in ms; returns when the turn is over. */
export async function timeToFirstByte({ api, model }: Application, session: string): Promise<number> {
  const asked = monotonicMs();
  await api.runTurn(session);
  const seen = await model.seen(session);
  const first = seen.find(({ arrivedAt }) => arrivedAt > asked);
  if (!first) throw new Error(`the model was not asked in a turn of session ${session}`);
  return first.arrivedAt - asked;
}

/** A sample's percentiles beside their limits in ms. */
export function delayFigures(
  name: string,
  sample: readonly number[],
  limits: Readonly<Record<string, number>>,
): Figure[] {
  return Object.entries(limits).map(([p, atMost]) => ({
    name: `${name}, ${p}`,
    unit: 'ms',
    value: percentile(sample, Number(p.slice(1))),
    target: { of: 'value', atMost },
    note: `${sample.length} samples`,
  }));
}
