import { setTimeout as pause } from 'node:timers/promises';
import type { Benchmark } from '../benchmark.ts';
import { type RoundTripCounter, startRoundTripCounter } from '../measure/round-trips.ts';
import { type Application, smallCall } from '../stack/application.ts';

const longSteps = 45;
const shortSteps = 5;

/** How often a step waits for Postgres. */
export const roundTrips: Benchmark = {
  name: 'round-trips',
  title: 'Postgres round trips of the worker per step, counted on the wire',
  async run(bench) {
    const idleMs = bench.size === 'quick' ? 4_000 : 10_000;
    const application = await bench.application();
    const counter = await startRoundTripCounter(bench.servers.databaseUrl);
    await application.restartWorker({ DATABASE_URL: counter.databaseUrl });
    try {
      await countTurn(application, counter, shortSteps);
      bench.tell('counting what an idle worker sends');
      counter.take();
      await pause(idleMs);
      const background = counter.take();
      bench.tell('counting a long turn and a short one');
      const short = await countTurn(application, counter, shortSteps);
      const long = await countTurn(application, counter, longSteps);
      for (const statements of [short, long]) for (const text of background.keys()) statements.delete(text);
      // The difference of two turns leaves out what a turn costs once.
      const steps = longSteps - shortSteps;
      const value = (total(long) - total(short)) / steps;
      const note = perStep(long, short, steps);
      return [{ name: 'round trips per step', unit: 'count', value, target: { of: 'value', atMost: 5 }, note }];
    } finally {
      await application.restartWorker();
      await counter.close();
    }
  },
};

async function countTurn(app: Application, counter: RoundTripCounter, steps: number): Promise<Map<string, number>> {
  const [id = ''] = await app.createSessions(1, { toolSteps: steps - 1, tool: smallCall, chunks: 1, everyMs: 0 });
  counter.take();
  await app.api.runTurn(id);
  return counter.take();
}

const total = (statements: ReadonlyMap<string, number>) => [...statements.values()].reduce((sum, n) => sum + n, 0);

function perStep(long: ReadonlyMap<string, number>, short: ReadonlyMap<string, number>, steps: number): string {
  return Array.from(long, ([text, n]) => ({ text, n: (n - (short.get(text) ?? 0)) / steps }))
    .filter(({ n }) => n >= 0.05)
    .toSorted((one, other) => other.n - one.n)
    .map(({ text, n }) => `${n.toFixed(2)} × ${text.length > 90 ? `${text.slice(0, 89)}…` : text}`)
    .join('\n');
}
