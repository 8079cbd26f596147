import type { Bench, Benchmark, Figure } from '../benchmark.ts';
import { startFloorWorker } from '../floor/floor-worker.ts';
import { checkSteps } from '../measure/check-steps.ts';
import { median } from '../measure/statistics.ts';
import { costPerStep, type StepCost, type StepLoad } from '../measure/step-cost.ts';
import { type Application, smallCall } from '../stack/application.ts';
import { runUnwatched } from '../stack/run-unwatched.ts';
import { benchPaths } from '../stack/paths.ts';
import type { Servers } from '../stack/servers.ts';

/** Every shape that is measured, in the order in which each round does it. */
const shapes = (['child', 'inline'] as const).flatMap((isolation) =>
  [1, 20].map((sessions) => ({ isolation, sessions, limit: sessions === 1 ? 1.3 : 1.6 })),
);

/** What a step costs beside the least that Temporal asks for it. */
export const step: Benchmark = {
  name: 'step',
  title: 'Time per step, beside three workflow levels with two empty activities and no database',
  async run(bench) {
    const application = await bench.application();
    const floorWorker = await startFloorWorker(bench.servers, benchPaths().logs);
    const rounds = bench.size === 'quick' ? 1 : 3;
    const measured = shapes.map((shape) => ({ shape, floor: [] as StepCost[], ours: [] as StepCost[] }));
    const warmUp = { sessions: 2, stepsEach: 5 };
    for (const isolation of ['child', 'inline'] as const) {
      await floorWorker.measure({ ...warmUp, isolation });
      await measureOurs(bench.servers, application, { ...warmUp, isolation });
    }
    // Floor and product take turns, so that a machine that gets slower is no difference between them.
    for (let round = 1; round <= rounds; round += 1) {
      for (const { shape, floor, ours } of measured) {
        const load = { ...shape, stepsEach: stepsFor(bench, shape.sessions) };
        bench.tell(`round ${round} of ${rounds}: ${shape.sessions} session(s), ${shape.isolation}`);
        floor.push(await floorWorker.measure(load));
        ours.push(await measureOurs(bench.servers, application, load));
      }
    }
    await floorWorker.stop();
    return measured.flatMap(({ shape, floor, ours }) => {
      const levels = measured.find(
        (other) => other.shape.isolation === 'child' && other.shape.sessions === shape.sessions,
      );
      return figuresOf(shape, ours, { threeLevels: levels?.floor ?? [], ownShape: floor });
    });
  },
};

function stepsFor({ size }: Bench, sessions: number): number {
  if (size === 'quick') return sessions === 1 ? 20 : 3;
  return sessions === 1 ? 80 : 15;
}

async function measureOurs(servers: Servers, application: Application, load: StepLoad): Promise<StepCost> {
  const { createSessions, pids } = application;
  const { isolation: stepIsolation, sessions, stepsEach } = load;
  // The last step of a turn has no call, as on the floor.
  const plan = { toolSteps: stepsEach - 1, tool: smallCall, chunks: 1, everyMs: 0 };
  const ids = await createSessions(sessions, plan, { stepIsolation });
  const { worker, ...ours } = pids();
  const others = [...Object.values(ours), servers.postgresPid, servers.temporalPid];
  const cost = await costPerStep(load, { worker, others }, () => runUnwatched(servers, application, ids));
  await checkSteps(servers, ids, stepsEach);
  return cost;
}

interface Floors {
  /** Session, turn and step as workflows: what the targets speak of, whatever our own isolation. */
  readonly threeLevels: readonly StepCost[];
  /** As many levels as the shape has. */
  readonly ownShape: readonly StepCost[];
}

function figuresOf(
  { isolation, sessions, limit }: (typeof shapes)[number],
  ours: readonly StepCost[],
  { threeLevels, ownShape }: Floors,
): Figure[] {
  const middle = (costs: readonly StepCost[], of: keyof StepCost) => median(costs.map((cost) => cost[of]));
  const where = `${sessions} session${sessions === 1 ? '' : 's'}, step ${isolation}`;
  const figure = (name: string, of: keyof StepCost, floor: readonly StepCost[]): Figure => ({
    name: `${name} per step, ${where}`,
    unit: 'ms',
    value: middle(ours, of),
    floor: middle(floor, of),
  });
  const target = { of: 'ratio', atMost: limit } as const;
  const judged = [
    { ...figure('time', 'wallMs', threeLevels), target },
    { ...figure('CPU of the worker', 'workerCpuMs', threeLevels), target },
    figure('CPU of all processes', 'totalCpuMs', threeLevels),
  ];
  if (isolation === 'child') return judged;
  return [...judged, figure('time beside an inline floor', 'wallMs', ownShape)];
}
