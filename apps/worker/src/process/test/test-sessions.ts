import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { text, type MessageEntry, type RequestId, type SessionId, type TenantId } from '@everturn/core/domain';
import { acceptPrompt, readEvents, startSessionRow } from '@everturn/core/postgres';
import type { ScriptAnswer } from '@everturn/core/providers';
import { SESSION_WORKFLOW, sessionWorkflowId, taskQueues, type SessionInput } from '@everturn/core/protocol';
import { testTemporal, workflowBundle } from '@everturn/core/testing';
import { afterAll, beforeAll } from 'vitest';
import { createMainActivities, createModelActivities, type UpkeepJobs } from '../../activities/index.ts';
import { failingAs } from '../../activities/failure.ts';
import { model, projection } from '../../activities/testing/servers.ts';
import { testProcess } from '../../activities/testing/test-process.ts';
import type { CommitLogInput, Committed, OpenLogInput } from '../../contract/index.ts';
import { sendPromptBy } from '../send-prompt.ts';
import { sessionCourier } from '../session-courier.ts';

const QUEUE = 'lives';
const TENANT = 'acme' as TenantId;

/** What goes wrong with a session's commits. */
export type CommitFault = (input: CommitLogInput, commit: () => Promise<Committed>) => Promise<Committed>;

export let client: Client;
const faults = new Map<string, CommitFault>();
const gates = new Map<string, Promise<void>>();
let startWorker: (taskQueue: string) => Promise<void>;
const stops: (() => Promise<void>)[] = [];

/** A worker of this process, over the real servers, whose commits a test may disturb. */
beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
  });
  const { address, namespace } = await testTemporal();
  client = new Client({ connection: await Connection.connect({ address }), namespace });
  const connection = await NativeConnection.connect({ address });
  const deps = await testProcess({ projection, model });
  const send = sendPromptBy(client, QUEUE);
  const main = createMainActivities(deps, { upkeep: {} as UpkeepJobs, send, courier: sessionCourier(client) });
  const activities = {
    ...main,
    commitLog(input: CommitLogInput) {
      const fault = faults.get(input.session);
      return fault ? failingAs(() => fault(input, () => main.commitLog(input))) : main.commitLog(input);
    },
    async openLog(input: OpenLogInput) {
      await gates.get(input.session);
      return main.openLog(input);
    },
  };
  const common = {
    connection,
    namespace,
    maxHeartbeatThrottleInterval: 300,
    defaultHeartbeatThrottleInterval: 300,
  };
  const run = async (options: Omit<Parameters<typeof Worker.create>[0], keyof typeof common>) => {
    const worker = await Worker.create({ ...common, ...options });
    const running = worker.run();
    stops.push(async () => {
      worker.shutdown();
      await running;
    });
  };
  const sinks = { live: { publish: { fn: () => undefined, callDuringReplay: false } } };
  startWorker = (taskQueue) => run({ taskQueue, workflowBundle: workflowBundle(), activities, sinks });
  await Promise.all([
    startWorker(taskQueues(QUEUE).main),
    run({ taskQueue: taskQueues(QUEUE).model, activities: createModelActivities(deps) }),
  ]);
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await connection.close();
  };
});
afterAll(() => client.connection.close());

/** Runs the workflows of another queue, too. */
export const workOn = (taskQueue: string): Promise<void> => startWorker(taskQueue);

export type LiveSession = Awaited<ReturnType<typeof beginSession>>;

/** Starts a session whose model answers so. */
export async function beginSession(answer: ScriptAnswer, more: { fault?: CommitFault; opens?: Promise<void> } = {}) {
  const session = `s-${randomUUID()}` as SessionId;
  const key = { tenant: TENANT, session };
  model.script(session, () => answer);
  if (more.fault) faults.set(session, more.fault);
  if (more.opens) gates.set(session, more.opens);
  await startSessionRow(projection.database, {
    ...key,
    header: { version: 0 },
    options: { provider: 'scripted', model: session },
  });
  const workflowId = sessionWorkflowId(session);
  const start = (intent: SessionInput['intent']) =>
    client.workflow.start(SESSION_WORKFLOW, {
      workflowId,
      taskQueue: taskQueues(QUEUE).main,
      args: [{ ...key, queues: QUEUE, intent }],
    });
  await start('open');
  const handle = client.workflow.getHandle(workflowId);
  const log = async () => (await readEvents(projection.database, { ...key, from: 0, limit: 1_000 })).events;
  return {
    ...key,
    handle,
    log,
    resume: () => start('resume'),
    async prompt(words: string): Promise<void> {
      const requestId = randomUUID() as RequestId;
      const source = { kind: 'user' as const };
      const entry: MessageEntry = { requestId, kind: 'prompt', content: [text(words)], source, preview: words };
      await acceptPrompt(projection.database, { ...key, mode: 'send', entry });
      const { content, preview } = entry;
      await handle.signal('submitPrompt', { requestId, mode: 'send', content, source, preview });
    },
    /** How many events of a type the log has. */
    count: async (type: string) => (await log()).filter((event) => event.type === type).length,
    /** The names of the signals in a workflow's history. */
    async signals(of: string = workflowId): Promise<string[]> {
      const { events } = await client.workflow.getHandle(of).fetchHistory();
      return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? []);
    },
  };
}

export const newRequest = (): RequestId => randomUUID() as RequestId;
