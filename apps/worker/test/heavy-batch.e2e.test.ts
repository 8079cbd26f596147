import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { fetchRun } from '../src/projection/histories/walk-histories.ts';
import { expectSound } from './support/expect-sound.ts';
import { logLines } from './support/log-lines.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const CALLS = 70;

/** Writes many files, then reads them all at once: each argument and result just too small to travel by reference. */
const writesThenReads =
  (folder: string) =>
  ({ messages }: RequestView): ScriptAnswer => {
    const paths = Array.from({ length: CALLS }, (_, index) => join(folder, `heavy-${index}.txt`));
    const steps = messages.filter(({ role }) => role === 'assistant').length;
    if (steps >= 2) return { text: 'done' };
    return {
      toolCalls: paths.map((file_path) =>
        steps === 0
          ? { name: 'write', arguments: { file_path, content: `${'y'.repeat(1_000)}\n`.repeat(30) } }
          : { name: 'read', arguments: { file_path } },
      ),
    };
  };

test('seventy calls of 30 kB at once and as many results: no payload is too large', async () => {
  const session = await stack.api.create(scripted(stack, 'heavy', writesThenReads(stack.workspace)));
  await stack.api.prompt(session, 'go');
  const lines = logLines(await stack.api.turnEnded(session));
  expect(lines.filter((line) => line.endsWith(' ok')).length).toBe(2 * CALLS);
  expect(lines.at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
  expect(await largestPayload(session)).toBeLessThan(512 * 1024);
});

/** The largest event of all histories of the session, in bytes. */
async function largestPayload(session: string): Promise<number> {
  const turn = `session:${session}/turn:1`;
  const sizes: number[] = [];
  for (const workflowId of [`session:${session}`, turn, `${turn}/step:1`, `${turn}/step:2`]) {
    const history = await fetchRun(stack.client.workflow, { workflowId });
    expect(history).toBeDefined();
    sizes.push(...(history?.events ?? []).map(bytesOf));
  }
  return Math.max(...sizes);
}

/** As the server stores it: payloads are bytes, which JSON would write as numbers. */
const bytesOf = (event: object): number =>
  JSON.stringify(event, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  ).length;
