import type { CallId } from '@everturn/core/domain';
import { startScriptedModel } from '@everturn/core/providers';
import { bodies } from '@everturn/tools/activity';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { RunToolInput } from '../../contract/index.ts';
import { closeTestProjection, newSession, openTestProjection } from '../../projection/test/test-session.ts';
import { runToolActivity } from '../run-tool.ts';
import { attempt, testProcess } from '../testing/test-process.ts';
import { insideStep } from '../testing/test-turn.ts';

beforeAll(async () => {
  await openTestProjection();
});
afterAll(closeTestProjection);

test('a call asks about what its own session sees, by the choice the session made', async () => {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const { projection } = await newSession();
  const tools = ['cordis_inspect_query', 'terminal_list', 'read'].flatMap((key) => bodies.get(key) ?? []);
  const deps = { ...(await testProcess({ projection, model, tools })), toolsets: ['inspect'] };
  const { ref } = await insideStep(deps);
  const input: RunToolInput = {
    ...ref,
    turn: 1,
    step: 1,
    call: {
      index: 0,
      callId: 'c1' as CallId,
      name: 'cordis_inspect_query',
      arguments: JSON.stringify({ platform: 'host', provider: 'Tool', method: 'listTools' }),
      concurrency: 'exclusive',
    },
    effect: 'idempotent',
    spill: 'now',
    commit: { events: [], highestAcknowledged: -1 },
  };
  const { outcome } = await attempt(runToolActivity(deps), input).result;
  const [block] = outcome.content as { text: string }[];
  const answer = JSON.parse(block?.text ?? '') as { data: { tools: { name: string }[] } };
  expect(answer.data.tools.map(({ name }) => name)).toEqual(['cordis_inspect_query', 'read']);
});
