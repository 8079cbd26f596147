import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { openProjection } from '../src/projection/index.ts';
import { expectRebuilt } from './support/expect-rebuilt.ts';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, scripted } from './support/model-scripts.ts';
import { loopScript, ralph, report, reporting, type RoundTask } from './support/ralph-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

async function begin(
  name: string,
  calls: NonNullable<ScriptAnswer['toolCalls']>,
  agent: (task: RoundTask, request: RequestView) => ScriptAnswer,
): Promise<string> {
  const session = await stack.api.create(scripted(stack, name, loopScript(calls, agent)));
  await stack.api.prompt(session, 'begin');
  return session;
}

interface Child {
  id: string;
  status: string;
  preview: string;
}
const childrenOf = async (session: string) =>
  (await stack.api.call<{ sessions: Child[] }>('GET', `/v1/sessions?parent=${session}`)).body.sessions.toSorted(
    (a, b) => Number(a.preview.split(' ')[2]) - Number(b.preview.split(' ')[2]),
  );
const saying = (...lines: [string, object]) => `${lines[0]}\nFinal report:\n${JSON.stringify(lines[1], undefined, 2)}`;

test('each round is an agent of its own that knows the objective and the last report; a worker that dies in one or between two changes nothing', async () => {
  const [mark, go] = [join(stack.workspace, 'rounds'), join(stack.workspace, 'go')];
  const told: (string | undefined)[] = [];
  const session = await begin('ralph', [ralph(' say "hi" ', 9)], ({ objective, round, previous }, { steps }) => {
    if (steps.length === 0) {
      const wait = round === 1 ? `; while [ ! -e ${go} ]; do sleep 0.05; done` : '';
      return { toolCalls: [bash(`echo ${round} ${objective} >> ${mark}${wait}`)] };
    }
    told[round] = previous;
    return round < 3 ? reporting('continue', { summary: `round ${round}` }) : reporting('complete');
  });
  await waitFor(() => existsSync(mark), { what: 'the first round to work' });
  await stack.worker().kill9();
  writeFileSync(go, '');
  await stack.startWorker();
  const [first] = await childrenOf(session);
  await stack.api.turnEnded(String(first?.id));
  await stack.worker().kill9();
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toBe(saying('Ralph reported completion after 3 rounds.', report('complete')));
  expect(readFileSync(mark, 'utf8')).toBe([1, 2, 3].map((round) => `${round} say "hi"\n`.replaceAll('"', '')).join(''));
  const handed = (round: number) => JSON.stringify(report('continue', { summary: `round ${round}` }));
  expect(told).toEqual([undefined, undefined, handed(1), handed(2)]);

  const agents = await childrenOf(session);
  expect(agents.map(({ preview, status }) => [preview, status])).toEqual(
    [1, 2, 3].map((round) => [`Ralph round ${round}`, 'closed']),
  );
  const recorded = events.flatMap(({ type, data }) => (type.startsWith('tool-workflow/') ? [{ type, ...data }] : []));
  const runId = 't1.s1.c0';
  expect(recorded).toEqual([
    { type: 'tool-workflow/run-start', runId, name: 'ralph-loop' },
    ...agents.flatMap(({ id: childId, preview: label }, n) => [
      { type: 'tool-workflow/agent-start', runId, seq: n + 1, label, phase: 'rounds', childId },
      { type: 'tool-workflow/agent-end', runId, seq: n + 1, outcome: 'completed' },
    ]),
    { type: 'tool-workflow/run-end', runId, stopReason: 'completed' },
  ]);
  for (const { id } of agents) await expectSound(stack, id);
  await expectSound(stack, session);
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await stack.client.workflow.getHandle(`session:${session}`).result();
  await expectRebuilt(stack, openProjection({ database: stack.database, owner: 'test-rebuild' }), session);
});

test('a loop ends with a blocker, at its limit, or with the round that failed and what was handed on last', async () => {
  const loops = ['blocked', 'limited', 'broken', 'contradictory', 'silent'];
  const session = await begin(
    'ralph-ends',
    [...loops.map((name) => ralph(name, name === 'limited' ? 2 : 5)), ralph(' ')],
    ({ objective, round }, { steps }) => {
      if (steps.length > 0) return { text: 'done' };
      if (objective === 'blocked') return reporting('blocked');
      if (objective === 'broken') return { fault: { kind: 'status', status: 400, message: 'no such thing' } };
      if (objective === 'silent') return { text: 'I am done' };
      return objective === 'contradictory' && round === 2
        ? reporting('continue', { blocker: 'x' })
        : reporting('continue');
    },
  );
  const events = await stack.api.turnEnded(session);
  const results = loops.map((_name, n) => resultText(events, `call_1_${n + 1}`));
  expect(results[0]).toBe(saying('Ralph reported a blocker after 1 round.', report('blocked')));
  expect(results[1]).toBe(saying('Ralph reached its 2-round limit with work remaining.', report('continue')));
  expect(results[2]).toMatch(
    /^Error: Ralph round 1 failed: subagent run failed: .*no such thing.*\nThere is no previous handoff\.$/,
  );
  expect(results[3]).toMatch(/^Error: Ralph round 2 failed: report\.blocker: .*\nLast successful handoff:\n\{/);
  expect(results[4]).toBe(
    'Error: Ralph round 1 failed: its agent ended without a report\nThere is no previous handoff.',
  );
  expect(logLines(events)).toContain('tool/result call_1_3 RALPH_FAILED');
  expect(resultText(events, 'call_1_6')).toBe('Error: invalid objective: expected a non-empty string');
  expect((await childrenOf(session)).length).toBe(1 + 2 + 1 + 2 + 1);
  await expectSound(stack, session);
});

test('a cancel of the turn ends the round that runs, and no other begins', async () => {
  const session = await begin('ralph-cancelled', [ralph('sleep on')], ({ round }, { steps }) =>
    round === 2 && steps.length === 0 ? { toolCalls: [bash('sleep 600')] } : reporting('continue'),
  );
  const asleep = await waitFor(async () => (await childrenOf(session))[1]?.id, { what: 'the second round' });
  await stack.api.until(asleep, 'its call', (events) => events.some(({ type }) => type === 'tool/call'));
  await stack.api.call('POST', `/v1/sessions/${session}/cancel`, {});
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toMatch(
    /^Error: Ralph was cancelled in round 2: the turn was stopped\nLast successful handoff:\n\{/,
  );
  expect(logLines(events).slice(-5)).toEqual([
    'tool-workflow/agent-end',
    'tool-workflow/run-end',
    'tool/result call_1_1 RALPH_CANCELLED',
    'step/end',
    'turn/end aborted',
  ]);
  expect(logLines(await stack.api.turnEnded(asleep)).at(-1)).toBe('turn/end aborted');
  expect((await childrenOf(session)).map(({ status }) => status)).toEqual(['closed', 'closed']);
  await expectSound(stack, session);
});
