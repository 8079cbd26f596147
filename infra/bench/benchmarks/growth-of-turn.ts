import type { Benchmark, Figure } from '../benchmark.ts';
import { historyBytes, walPosition, withFullPages, withoutFullPages } from '../measure/bytes-written.ts';
import { intervals, median } from '../measure/statistics.ts';
import type { SeenRequest } from '../model/plan.ts';
import { poll } from '../../process/poll.ts';
import { type Application, smallCall } from '../stack/application.ts';
import type { Servers } from '../stack/servers.ts';

/** Steps `from` to `to`, which stand for the one in their middle. */
interface Window {
  readonly middle: number;
  readonly from: number;
  readonly to: number;
}

interface WindowCost {
  readonly stepMs: number;
  readonly walBytes: number;
  readonly historyBytes: number;
  readonly requestBytes: number;
}

const windowAround = (middle: number, reach: number): Window => ({ middle, from: middle - reach, to: middle + reach });

/** Whether a step gets dearer the longer its turn is. */
export const growthOfTurn: Benchmark = {
  name: 'growth-turn',
  title: 'What a step takes and writes, early and late in one turn',
  async run(bench) {
    const windows =
      bench.size === 'quick'
        ? [windowAround(10, 4), windowAround(50, 4)]
        : [windowAround(10, 5), windowAround(100, 10), windowAround(500, 10)];
    const application = await bench.application();
    const last = windows.at(-1)?.to ?? 0;
    const holdAt = windows.flatMap(({ from, to }) => [from, to]);
    const [id = ''] = await application.createSessions(1, {
      toolSteps: last,
      tool: smallCall,
      chunks: 1,
      everyMs: 0,
      holdAt,
    });
    await withoutFullPages(bench.servers);
    try {
      const turn = application.api.runTurn(id);
      const costs: WindowCost[] = [];
      for (const window of windows) {
        bench.tell(`up to step ${window.to} of ${last}`);
        costs.push(await measureWindow(bench.servers, application, id, window));
      }
      await turn;
      return windows.flatMap((window, index) => figuresOf(window, costs[index], costs[0]));
    } finally {
      await withFullPages(bench.servers);
    }
  },
};

// The model holds its answer at both ends of a window, so that nothing is written while the meters are read.
async function measureWindow(servers: Servers, app: Application, id: string, window: Window): Promise<WindowCost> {
  const turn = `session:${id}/turn:1`;
  const { from, to } = window;
  const before = await readAt(from);
  const after = await readAt(to, 'stay');
  const steps = to - from;
  const inWindow = (await app.model.seen(id)).filter(({ request }) => request > from && request <= to);
  const children = await Promise.all(
    Array.from({ length: steps }, (_, n) => historyBytes(servers, `${turn}/step:${from + n}`)),
  );
  await app.model.release(id);
  const ownBytes =
    before.history.runId === after.history.runId ? after.history.bytes - before.history.bytes : Number.NaN;
  return {
    stepMs: median(intervals(inWindow.map(({ arrivedAt }) => arrivedAt))),
    walBytes: (after.wal - before.wal) / steps,
    historyBytes: (ownBytes + children.reduce((sum, { bytes }) => sum + bytes, 0)) / steps,
    requestBytes: inWindow.at(-1)?.bytes ?? Number.NaN,
  };

  async function readAt(request: number, then: 'go on' | 'stay' = 'go on') {
    await untilAsked(app, id, request);
    const reading = { wal: await walPosition(servers), history: await historyBytes(servers, turn) };
    if (then === 'go on') await app.model.release(id);
    return reading;
  }
}

async function untilAsked({ model }: Application, id: string, request: number): Promise<void> {
  const asked = ({ request: number }: SeenRequest) => number === request;
  const there = await poll(async () => ((await model.seen(id)).some(asked) ? true : undefined), 10 * 60_000, 50);
  if (!there) throw new Error(`request ${request} did not come within ten minutes`);
}

function figuresOf({ middle }: Window, cost: WindowCost | undefined, first: WindowCost | undefined): Figure[] {
  if (!cost || !first) return [];
  const compared = cost === first ? {} : { target: { of: 'ratio', atMost: 1.1 } as const };
  const figure = (name: string, unit: 'ms' | 'bytes', of: keyof WindowCost, judged: object) => ({
    name: `${name} at step ${middle}`,
    unit,
    value: cost[of],
    ...(cost !== first && { floor: first[of] }),
    ...judged,
  });
  return [
    figure('time', 'ms', 'stepMs', compared),
    figure('written to Postgres (WAL)', 'bytes', 'walBytes', compared),
    figure('written to histories', 'bytes', 'historyBytes', compared),
    figure("the provider's request body", 'bytes', 'requestBytes', {}),
  ];
}
