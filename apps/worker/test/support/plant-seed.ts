import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { text, type AuthoredEvent, type EventId, type SessionId } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import { sessionWorkflowId } from '@everturn/core/protocol';
import { openProjection } from '../../src/projection/index.ts';
import { scriptedActivities } from '../../src/projection/test/scripted-activities.ts';
import type { Act } from '../../src/projection/test/scripted-workflows.ts';
import { author, source } from '../../src/projection/test/test-session.ts';
import type { Stack } from './stack.ts';

const QUEUE = 'seeds';
const nothing = { highestAcknowledged: -1 };

/** A finished turn 1 under names of a seed, as a fork brings it along. */
function seedEvents(provenance: { provider: string; model: string }): AuthoredEvent[] {
  const at = { turn: 1, step: 1 };
  const [turn, step] = [author('t1'), author('t1.s1')];
  const append = { surfaceOp: 'append' as const };
  const events = [
    turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }, 10),
    turn('user/message', { content: [text('before the fork')], source }, 11, append),
    step('step/start', at, 12),
    step('assistant/message', { ...at, content: [text('an answer of the parent')], provenance }, 13, append),
    turn('step/end', at, 14),
    turn('turn/end', { turn: 1, reason: { kind: 'completed' } }, 15),
  ];
  return events.map((event, seq) => ({ ...event, eid: `seed/${seq}` as EventId }));
}

/** Once a process: makes a session whose first life wrote a seed and ended; its next prompt begins its second. */
export async function plantSeed(
  stack: Stack,
  options: { session: string; provider: string; model: string; workspace: string },
): Promise<void> {
  const { session, workspace, ...model } = options;
  const key = { tenant: stack.tenant, session: session as SessionId };
  await startSessionRow(stack.database, {
    ...key,
    header: { version: 0, id: session, createdAt: Date.now(), cwd: workspace },
    options: model,
  });
  const script: Act[] = [
    { do: 'activity', name: 'openLog', input: { ...key, intent: 'create' } },
    {
      do: 'activity',
      name: 'commitLog',
      input: { ...key, generation: 1, commit: { ...nothing, events: seedEvents(model) } },
    },
  ];
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { address, namespace } = stack.temporal;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: QUEUE,
    workflowsPath: fileURLToPath(new URL('../../src/projection/test/scripted-workflows.ts', import.meta.url)),
    activities: scriptedActivities(openProjection({ database: stack.database, owner: 'seeds' })),
  });
  await worker.runUntil(
    stack.client.workflow.execute('scripted', {
      workflowId: sessionWorkflowId(key.session),
      taskQueue: QUEUE,
      args: [script],
    }),
  );
  await connection.close();
}
