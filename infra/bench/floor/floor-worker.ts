import { randomUUID } from 'node:crypto';
import { type NodeChild, startNodeChild } from '../../dev/stack/node-child.ts';
import { costPerStep, type StepCost, type StepLoad } from '../measure/step-cost.ts';
import type { Servers } from '../stack/servers.ts';
import { floorQueue } from './queue.ts';
import type { FloorInput } from './workflows.ts';

/** The floor's worker, running. */
export interface FloorWorker {
  /** Runs sessions of the floor beside one another, and says what a step of theirs costs. */
  measure(load: StepLoad): Promise<StepCost>;
  stop(): Promise<void>;
}

/** Starts the floor's worker process on the bench's Temporal. */
export async function startFloorWorker(servers: Servers, logs: string): Promise<FloorWorker> {
  const environment = { PATH: process.env['PATH'] ?? '', ...servers.environment };
  const child = await startNodeChild({ name: 'floor', entry: 'infra/bench/floor/worker.ts', environment, logs });
  return { measure: (load) => measure(servers, child, load), stop: () => child.stop() };
}

function measure({ client, temporalPid }: Servers, child: NodeChild, load: StepLoad): Promise<StepCost> {
  const { sessions, stepsEach: steps, isolation } = load;
  const run = (input: FloorInput) =>
    client.workflow.execute('floorSession', { taskQueue: floorQueue, workflowId: input.session, args: [input] });
  const inputs = Array.from({ length: sessions }, () => ({ session: `floor:${randomUUID()}`, steps, isolation }));
  return costPerStep(load, { worker: child.pid, others: [temporalPid] }, () => Promise.all(inputs.map(run)));
}
