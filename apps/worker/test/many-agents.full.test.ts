import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { agentsEnded, agentsOf, mostAtATime, scriptCall, scriptLines } from './support/script-runs.ts';
import { startStack, type Stack } from './support/stack.ts';

const AGENTS = 50;
const AT_A_TIME = 8;

let stack: Stack;
beforeAll(async () => void (stack = await startStack({ worker: { EVERTURN_WORKFLOW_AGENTS: String(AT_A_TIME) } })));
afterAll(() => stack?.stop());

test('fifty agents of one script, its worker killed twice: each worked once, and none is called for again', async () => {
  const marks = join(stack.workspace, 'marks');
  appendFileSync(marks, '');
  const script = `const all = await parallel(Array.from({ length: ${AGENTS} }, (_, n) => () => agent('do part ' + n)));
    return all.map((said) => Number(said.slice(5))).reduce((a, b) => a + b)`;
  const own = callsThenDone(scriptCall(script));
  const options = scripted(stack, 'fifty', (request) => {
    const task = JSON.stringify(request.messages.find(({ role }) => role === 'user')?.content ?? '');
    const part = /do part (\d+)/.exec(task)?.[1];
    if (part === undefined) return own(request);
    const worked = request.messages.some(({ role }) => role === 'assistant');
    return worked ? { text: `part ${part}` } : { toolCalls: [bash(`echo ${part} >> ${marks}`)] };
  });
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'go');
  for (const ended of [12, 30]) {
    await agentsEnded(stack, session, ended);
    await stack.worker().kill9();
    await stack.startWorker({ EVERTURN_WORKFLOW_AGENTS: String(AT_A_TIME) });
  }
  const events = await stack.api.turnEnded(session);
  const sum = (AGENTS * (AGENTS - 1)) / 2;
  expect(resultText(events, 'call_1_1')).toBe(`workflow "sweep" completed (${AGENTS} agents).\nReturn value:\n${sum}`);
  const numbers = Array.from({ length: AGENTS }, (_, n) => n);
  const lines = scriptLines(events);
  expect(lines.filter((line) => line.startsWith('+'))).toEqual(numbers.map((n) => `+${n + 1} do part ${n}`));
  expect(lines.filter((line) => line.startsWith('-')).toSorted()).toEqual(
    numbers.map((n) => `-${n + 1} completed`).toSorted(),
  );
  expect(mostAtATime(events)).toBe(AT_A_TIME);
  const agents = agentsOf(events);
  expect(new Set(agents).size).toBe(AGENTS);
  for (const agent of agents) {
    const log = await stack.api.events(agent);
    expect(logLines(log).filter((line) => line.startsWith('turn/'))).toEqual(['turn/start', 'turn/end completed']);
  }
  // A command whose worker died may have run or not; none ran twice.
  const done = readFileSync(marks, 'utf8').trim().split('\n');
  expect(new Set(done).size).toBe(done.length);
  await expectSound(stack, session);
});
