import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '@everturn/core/providers';
import { commit } from '../../projection/index.ts';
import { author, closeTestProjection, newSession, openTestProjection } from '../../projection/test/test-session.ts';
import type { Ledger } from '../effects/ledger.ts';
import { streamModelActivity } from '../stream-model.ts';
import { attempt, testProcess } from '../testing/test-process.ts';
import { atModelCall, eventsOf } from '../testing/test-turn.ts';

let model: ScriptedModel;
let projection: Awaited<ReturnType<typeof newSession>>['projection'];

beforeAll(async () => {
  await openTestProjection();
  projection = (await newSession()).projection;
  model = await startScriptedModel({ pace: 'instant' });
});
afterAll(async () => {
  await model.close();
  await closeTestProjection();
});

test('a worker that does not know a session reads it before it claims the call, up to the step', async () => {
  model.script('any', [{ answer: { text: 'hi there' } }]);
  const header = { config: { provider: 'scripted', model: 'any' } };
  const step = await atModelCall(await testProcess({ projection, model }), header);
  await attempt(streamModelActivity(await testProcess({ projection, model })), step.input).result;
  const opening = (n: number) => [
    author(`t1.s${n - 1}`, 2)('step/end', { turn: 1, step: n - 1 }),
    author(`t1.s${n}`)('step/start', { turn: 1, step: n }),
  ];
  const claimed: (number | undefined)[] = [];
  const elsewhere = async (n: number) => {
    const begin = (real: Ledger) => (input: Parameters<Ledger['begin']>[0]) => {
      claimed.push(input.readFrom);
      return real.begin(input);
    };
    const deps = await testProcess({ projection, model, ledger: (real) => ({ ...real, begin: begin(real) }) });
    const events = opening(n);
    const input = { ...step.input, step: n, commit: { events, highestAcknowledged: -1 } };
    return (await attempt(streamModelActivity(deps), input).result).outcome;
  };
  const before = (await eventsOf(step)).length;
  expect(await elsewhere(2)).toMatchObject({ kind: 'success' });
  const between = (await eventsOf(step)).length;
  // As an attempt leaves it that dies before its claim.
  await commit(projection, { ...step.ref, commit: { events: opening(3), highestAcknowledged: -1 } });
  expect(await elsewhere(3)).toMatchObject({ kind: 'success' });
  expect(claimed).toEqual([before, between + 1]);
});
