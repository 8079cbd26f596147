import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { resultText } from './support/log-lines.ts';
import { scripted } from './support/model-scripts.ts';
import { loopScript, ralph, reporting } from './support/ralph-scripts.ts';
import { roundCosts, type RoundCost } from './support/round-cost.ts';
import { runSizes } from './support/run-sizes.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
// Comparing each request with the whole log would be most of what is measured.
beforeAll(async () => void (stack = await startStack({ worker: { EVERTURN_CHECK_REQUESTS: 'off' } })));
afterAll(() => stack?.stop());

const WARM_ROUNDS = 80;

/** Where a history would become slow to replay. */
const MOST_EVENTS = 5_000;

/** Rounds at the end cost what rounds at the beginning did. */
function expectSteady({ first, last }: { first: RoundCost; last: RoundCost }): void {
  const shown = ({ cpuMs, wallMs }: RoundCost) => `${Math.round(cpuMs)} ms of CPU in ${Math.round(wallMs)} ms`;
  console.log(`a round: ${shown(first)} at first, ${shown(last)} at last`);
  expect(last.cpuMs / first.cpuMs).toBeGreaterThan(0.8);
  expect(last.cpuMs / first.cpuMs).toBeLessThan(1.2);
}

test('a Ralph loop of 200 rounds: small histories, and the last rounds cost what the first did', async () => {
  const loop = async (rounds: number) => {
    const agent = ({ round }: { round: number }) => reporting(round < rounds ? 'continue' : 'complete');
    const script = loopScript([ralph('go far', rounds)], agent);
    const id = await stack.api.create(scripted(stack, `ralph-${rounds}`, script));
    await stack.api.prompt(id, 'begin');
    return id;
  };
  // A process that is new gets faster for a while, which has nothing to do with how far a loop has come.
  const warm = await loop(WARM_ROUNDS);
  await stack.api.until(warm, 'the worker to be warm', (all) => all.some(({ type }) => type === 'turn/end'), 400_000);
  const session = await loop(200);
  const costs = await roundCosts(stack, { session, type: 'tool-workflow/agent-start', rounds: 200 });
  const events = await stack.api.until(
    session,
    'the loop to end',
    (all) => all.at(-1)?.type === 'turn/end' && all,
    60_000,
  );
  expect(resultText(events, 'call_1_1')).toMatch(/^Ralph reported completion after 200 rounds\./);
  const children = events.flatMap((event) => (event.type === 'tool-workflow/agent-start' ? [event.data.childId] : []));
  expect(new Set(children).size).toBe(200);
  const sizes = await runSizes(stack, `session:${session}`);
  const loops = sizes.filter(({ id }) => id.includes('/ralph:'));
  expect(loops.length).toBeGreaterThan(1);
  expect(Math.max(...sizes.map(({ events: length }) => length))).toBeLessThan(MOST_EVENTS);
  console.log(`histories of the loop: ${loops.map(({ events: length }) => length).join(', ')} events`);
  await expectSound(stack, session);
  expectSteady(costs);
});

test('a goal of 256 rounds: the session continues as new in between, and the last rounds cost what the first did', async () => {
  const script = ({ steps }: RequestView): ScriptAnswer =>
    steps.length === 0 ? { toolCalls: [{ name: 'get_goal', arguments: {} }] } : { text: 'worked' };
  const session = await stack.api.create(scripted(stack, 'goal-256', script));
  const path = `/v1/sessions/${session}/goal`;
  await stack.api.call('PUT', path, { operation: 'create', objective: 'go far', maxGoalRounds: 256 });
  const costs = await roundCosts(stack, { session, type: 'user/message', rounds: 256 });
  const phase = async () => (await stack.api.call<{ goal: { phase: string } }>('GET', path)).body.goal.phase;
  await waitFor(async () => (await phase()) === 'blocked', { what: 'all rounds', timeoutMs: 30_000 });
  const events = await stack.api.events(session);
  const rounds = events.flatMap(({ type, data }) =>
    type === 'user/message' && data.source.kind === 'goal' ? [data.source.round] : [],
  );
  expect(rounds).toEqual(Array.from({ length: 256 }, (_, n) => n + 1));
  const sizes = await runSizes(stack, `session:${session}`);
  const own = sizes.filter(({ id }) => id === `session:${session}`);
  expect(own.length).toBeGreaterThan(1);
  expect(Math.max(...sizes.map(({ events: length }) => length))).toBeLessThan(MOST_EVENTS);
  console.log(`histories of the session: ${own.map(({ events: length }) => length).join(', ')} events`);
  await expectSound(stack, session);
  expectSteady(costs);
});
