import type { Bench, Benchmark, Figure } from '../benchmark.ts';
import { historyBytes, walPosition, withFullPages, withoutFullPages } from '../measure/bytes-written.ts';
import { intervals, median } from '../measure/statistics.ts';
import type { SeenRequest } from '../model/plan.ts';
import { type Application, smallCall } from '../stack/application.ts';
import { timeToFirstByte } from './first-byte.ts';

const stepsEach = 3;
const plan = { toolSteps: stepsEach - 1, tool: smallCall, chunks: 1, everyMs: 0 };

interface TurnsCost {
  readonly stepMs: number;
  readonly startMs: number;
  readonly walBytes: number;
  readonly historyBytes: number;
}

/** Whether a step gets dearer the more turns its session has had. */
export const growthOfSession: Benchmark = {
  name: 'growth-session',
  title: `What a step takes and writes, early and late in one session of turns with ${stepsEach} steps`,
  async run(bench) {
    const { early, late, reach } =
      bench.size === 'quick' ? { early: 4, late: 20, reach: 2 } : { early: 10, late: 300, reach: 8 };
    const application = await bench.application();
    const [id = ''] = await application.createSessions(1, plan);
    await withoutFullPages(bench.servers);
    try {
      const first = await measureAround(bench, application, id, { turn: early, reach, done: 0 });
      const last = await measureAround(bench, application, id, { turn: late, reach, done: early + reach });
      return [...figuresOf(early, first), ...figuresOf(late, last, first)];
    } finally {
      await withFullPages(bench.servers);
    }
  },
};

interface Around {
  /** The turn in the middle, and how many on either side are measured with it. */
  readonly turn: number;
  readonly reach: number;
  /** How many turns the session has had. */
  readonly done: number;
}

async function measureAround(
  bench: Bench,
  application: Application,
  id: string,
  { turn, reach, done }: Around,
): Promise<TurnsCost> {
  const from = turn - reach;
  for (let n = done + 1; n < from; n += 1) {
    if (n % 10 === 0) bench.tell(`turn ${n} of ${turn + reach}`);
    await application.api.runTurn(id);
  }
  const seenBefore = (await application.model.seen(id)).length;
  const walBefore = await walPosition(bench.servers);
  const starts: number[] = [];
  const turns = Array.from({ length: 2 * reach + 1 }, (_, index) => from + index);
  for (const _ of turns) starts.push(await timeToFirstByte(application, id));
  const walBytes = (await walPosition(bench.servers)) - walBefore;
  const seen = (await application.model.seen(id)).slice(seenBefore);
  const sizes = await Promise.all(
    turns.flatMap((n) => workflowsOf(id, n)).map((each) => historyBytes(bench.servers, each)),
  );
  const steps = turns.length * stepsEach;
  return {
    stepMs: median(turnsIn(seen).flatMap((requests) => intervals(requests.map(({ arrivedAt }) => arrivedAt)))),
    startMs: median(starts),
    walBytes: walBytes / steps,
    historyBytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0) / steps,
  };
}

function workflowsOf(id: string, turn: number): string[] {
  const own = `session:${id}/turn:${turn}`;
  return [own, ...Array.from({ length: stepsEach }, (_, index) => `${own}/step:${index + 1}`)];
}

function turnsIn(seen: readonly SeenRequest[]): SeenRequest[][] {
  const turns: SeenRequest[][] = [];
  for (const each of seen) {
    if (each.request === 1) turns.push([]);
    turns.at(-1)?.push(each);
  }
  return turns;
}

function figuresOf(turn: number, cost: TurnsCost, first?: TurnsCost): Figure[] {
  const figure = (name: string, unit: 'ms' | 'bytes', of: keyof TurnsCost): Figure => ({
    name: `${name} at turn ${turn}`,
    unit,
    value: cost[of],
    ...(first && { floor: first[of], target: { of: 'ratio', atMost: 1.1 } as const }),
  });
  return [
    figure('time per step', 'ms', 'stepMs'),
    figure('request to first byte', 'ms', 'startMs'),
    figure('written to Postgres (WAL) per step', 'bytes', 'walBytes'),
    figure('written to histories per step', 'bytes', 'historyBytes'),
  ];
}
