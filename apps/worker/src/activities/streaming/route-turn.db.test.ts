import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { llmRegistry, startScriptedModel, type RouteConfig, type ScriptedModel } from '@everturn/core/providers';
import { closeTestProjection, newSession, openTestProjection } from '../../projection/test/test-session.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { modelClaim, type StreamModelInput } from '../../contract/index.ts';
import { settleActivity } from '../settle.ts';
import { streamModelActivity } from '../stream-model.ts';
import { attempt, testProcess } from '../testing/test-process.ts';
import { atModelCall, eventsOf, logOf } from '../testing/test-turn.ts';

let model: ScriptedModel;
let projection: Awaited<ReturnType<typeof newSession>>['projection'];
beforeAll(async () => {
  await openTestProjection();
  projection = (await newSession()).projection;
  model = await startScriptedModel({ pace: 'instant' });
  model.script('counted', [{ answer: { text: 'hi', usage: { prompt_tokens: 1_000, completion_tokens: 100 } } }]);
});
afterAll(async () => {
  await model.close();
  await closeTestProjection();
});

/** A worker whose one route says this. */
async function worker(more: Partial<RouteConfig>): Promise<ActivityDeps> {
  const route = { id: 'scripted', name: 'Scripted', dialect: 'scripted', baseUrl: model.url, models: [], ...more };
  const limits = { streamIdleTimeoutMs: 30_000, streamSilenceLimitMs: 30_000 };
  const llm = llmRegistry({ ...limits, routes: [route as RouteConfig] });
  return { ...(await testProcess({ projection, model })), llm };
}
const header = { config: { provider: 'scripted', model: 'counted' } };
const asked = () => model.requests.filter((one) => 'request' in one && one.request.model === 'counted').length;
const rows = async () => (await sql`select 1 from route_limits`.execute(projection.database)).rows.length;

test('a route without a limit costs no look at the database; with prices its answers say what they cost', async () => {
  const deps = await worker({ price: { input: 2, output: 10 } });
  const step = await atModelCall(deps, header);
  const { outcome } = await attempt(streamModelActivity(deps), step.input).result;
  const usage = { inputTokens: 1_000, outputTokens: 100, costUsd: 0.003 };
  expect(outcome).toMatchObject({ kind: 'success', usage });
  expect((await eventsOf(step)).at(-1)).toMatchObject({ type: 'assistant/message', data: { usage } });
  expect(await rows()).toBe(0);
});

test('above the limit of its route a call waits in Temporal, its step in the log, and is let through in its turn', async () => {
  const [one, another] = [
    await worker({ rateLimit: { requestsPerMinute: 1 } }),
    await worker({ rateLimit: { requestsPerMinute: 1 } }),
  ];
  const first = await atModelCall(one, header);
  expect(await attempt(streamModelActivity(one), first.input).result).toMatchObject({ outcome: { kind: 'success' } });
  const before = asked();
  const second = await atModelCall(another, header);
  const refused = await attempt(streamModelActivity(another), second.input).result.catch((error: unknown) => error);
  expect(refused).toMatchObject({ type: 'ROUTE_LIMITED', nonRetryable: false, nextRetryDelay: expect.any(Number) });
  expect(String(refused)).toMatch(/the limit of provider "scripted" is used up; this call's turn comes in \d+ ms/);
  const { nextRetryDelay } = refused as { nextRetryDelay: number };
  expect([nextRetryDelay > 50_000, nextRetryDelay <= 60_000, asked()]).toEqual([true, true, before]);
  expect(await logOf(second)).toEqual(['turn/start', 'user/message', 'step/start', 'request/header']);
  await sql`update route_waits set slot_at = clock_timestamp()`.execute(projection.database);
  expect(await attempt(streamModelActivity(one), second.input).result).toMatchObject({ outcome: { kind: 'success' } });
});

test('a call that is settled while it waits leaves its place to the next', async () => {
  const deps = await worker({ rateLimit: { requestsPerMinute: 1 } });
  await sql`delete from route_waits`.execute(projection.database);
  await sql`update route_limits set next_request_at = clock_timestamp() + interval '1 minute'`.execute(
    projection.database,
  );
  const waitOf = async (input: StreamModelInput) => {
    const refused = await attempt(streamModelActivity(deps), input).result.catch((error: unknown) => error);
    return (refused as { nextRetryDelay: number }).nextRetryDelay;
  };
  const [cancelled, next] = [await atModelCall(deps, header), await atModelCall(deps, header)];
  expect(await waitOf(cancelled.input)).toBeGreaterThan(50_000);
  const claims = [modelClaim(cancelled.input.turn, cancelled.input.step)];
  const commit = { ...cancelled.input.commit, events: [] };
  const settled = await attempt(settleActivity(deps), { ...cancelled.input, claims, live: 'cancel', commit }).result;
  expect(settled.settlements).toEqual({ [claims[0]!]: { state: 'not-started' } });
  expect(await waitOf(next.input)).toBeLessThan(60_000);
  expect((await sql`select 1 from route_waits`.execute(projection.database)).rows).toHaveLength(1);
});

test('tokens that were used hold up the next call', async () => {
  const deps = await worker({ id: 'scripted', rateLimit: { tokensPerMinute: 500 } });
  await sql`delete from route_limits`.execute(projection.database);
  const first = await atModelCall(deps, header);
  expect(await attempt(streamModelActivity(deps), first.input).result).toMatchObject({ outcome: { kind: 'success' } });
  const second = await atModelCall(deps, header);
  await expect(attempt(streamModelActivity(deps), second.input).result).rejects.toMatchObject({
    type: 'ROUTE_LIMITED',
  });
});
