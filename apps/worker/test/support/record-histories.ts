import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { workspaceRoot } from '@everturn/core/testing';
import { expectSound } from './expect-sound.ts';
import type { Stack } from './stack.ts';

/** Where recorded histories lie; `check` replays each against today's workflow code. */
export const historiesFolder = join(workspaceRoot, 'apps/worker/test/histories');

/** Later turns and steps repeat what the first ones do. */
const KEPT = /^(session|turn1(step[12])?|jobbash-1|(program|ralph)t1s1c0)$/;

/** Closes a session, so that its histories are whole, checks it, and keeps them under a name if recording is asked for. */
export async function finishRecording(stack: Stack, session: string, name: string): Promise<void> {
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await stack.client.workflow.getHandle(`session:${session}`).result();
  await expectSound(stack, session);
  if (process.env['EVERTURN_RECORD_HISTORIES']) await recordHistories(stack, session, name);
}

/** Keeps the history of one workflow that is over and belongs to no session, if recording is asked for. */
export async function recordWorkflow(stack: Stack, workflowId: string, name: string): Promise<void> {
  const handle = stack.client.workflow.getHandle(workflowId);
  await handle.result();
  if (!process.env['EVERTURN_RECORD_HISTORIES']) return;
  const file = join(historiesFolder, `${name}.1.json.gz`);
  writeFileSync(file, gzipSync(historyToJSON(await handle.fetchHistory()), { level: 9 }));
}

async function recordHistories(stack: Stack, session: string, name: string): Promise<void> {
  mkdirSync(historiesFolder, { recursive: true });
  const query = `WorkflowId STARTS_WITH "session:${session}"`;
  const counts = new Map<string, number>();
  for await (const { workflowId, runId } of stack.client.workflow.list({ query })) {
    const history = await stack.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const kind = workflowId.slice(`session:${session}`.length).replaceAll(/[/:.]/g, '') || 'session';
    if (!KEPT.test(kind)) continue;
    const run = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, run);
    const file = join(historiesFolder, `${name}.${kind}.${run}.json.gz`);
    writeFileSync(file, gzipSync(historyToJSON(history), { level: 9 }));
  }
}
