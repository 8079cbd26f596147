import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { workspaceRoot } from '@everturn/core/testing';
import type { Stack } from './stack.ts';

/** Where recorded histories lie; `check` replays each against today's workflow code. */
export const historiesFolder = join(workspaceRoot, 'apps/worker/test/histories');

/** Keeps the histories of every run of a session's workflows under a name, when recording is asked for. */
export async function recordHistories(stack: Stack, session: string, name: string): Promise<void> {
  if (!process.env['EVERTURN_RECORD_HISTORIES']) return;
  mkdirSync(historiesFolder, { recursive: true });
  const query = `WorkflowId STARTS_WITH "session:${session}"`;
  const counts = new Map<string, number>();
  for await (const { workflowId, runId } of stack.client.workflow.list({ query })) {
    const history = await stack.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const kind = workflowId.slice(`session:${session}`.length).replaceAll(/[/:]/g, '') || 'session';
    const run = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, run);
    const file = join(historiesFolder, `${name}.${kind}.${run}.json.gz`);
    writeFileSync(file, gzipSync(historyToJSON(history), { level: 9 }));
  }
}
