import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

const plugin = fileURLToPath(new URL('support/judging-plugin.ts', import.meta.url));
let stack: Stack;
beforeAll(async () => void (stack = await startStack({ worker: { EVERTURN_PLUGINS: plugin } })));
afterAll(() => stack?.stop());

test('listeners after a body see the whole, on the machine where what they leave over is spilled', async () => {
  const long = bash('head -c 200000 /dev/zero | tr "\\0" x');
  const session = await stack.api.create(scripted(stack, 'judged', callsThenDone(long)));
  await stack.api.prompt(session, 'go');
  const shown = resultText(await stack.api.turnEnded(session), 'call_1_1');
  expect(shown.length).toBeLessThanOrEqual(50_000);
  const [, judged, file] = /^judged (\d+)\n[^]*stored at: (\S+)\. /.exec(shown) ?? [];
  expect(Number(judged)).toBeGreaterThan(60_000);
  expect(readFileSync(file ?? '', 'utf8').length).toBe(`judged ${judged}\n`.length + Number(judged));
  const history = await stack.client.workflow.getHandle(`session:${session}/turn:1/step:1`).fetchHistory();
  const scheduled = (history.events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  const [ran, asked] = ['runTool', 'intercept'].map((name) =>
    scheduled.find(({ activityType }) => activityType?.name === name),
  );
  expect(asked?.taskQueue?.name).toMatch(/^everturn-host:/);
  expect(asked?.taskQueue?.name).toBe(ran?.taskQueue?.name);
  await expectSound(stack, session);
});

test('what a body has for the log is written after its result, once listeners let that stand', async () => {
  const present = (path: string) => {
    writeFileSync(join(stack.workspace, path), '');
    return { name: 'present', arguments: { files: [{ path }] } };
  };
  const calls = callsThenDone(present('given.txt'), present('withheld.txt'));
  const session = await stack.api.create(scripted(stack, 'presented', calls));
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(logLines(events).slice(5, 10)).toEqual([
    'tool/call call_1_1',
    'tool/result call_1_1 ok',
    'deliverables/presented',
    'tool/call call_1_2',
    'tool/result call_1_2 error',
  ]);
  expect(events.find(({ type }) => type === 'deliverables/presented')?.data).toEqual({
    turn: 1,
    callId: 'call_1_1',
    files: [{ path: 'given.txt' }],
  });
  await expectSound(stack, session);
});
