import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBlobRef, text } from '@everturn/core/domain';
import { startScriptedModel, type ScriptAnswer, type ScriptedModel } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { beginEffect } from '../projection/index.ts';
import { closeTestProjection, newSession, openTestProjection } from '../projection/test/test-session.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { streamModelActivity } from './stream-model.ts';
import { headerAnswering } from './testing/header-answering.ts';
import { apiOf, attempt, testProcess } from './testing/test-process.ts';
import { atModelCall, eventsOf, logOf } from './testing/test-turn.ts';
import type { Ledger } from './effects/ledger.ts';

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

const answering = (answer: ScriptAnswer) => headerAnswering(model, answer);

const OPENING = ['turn/start', 'user/message', 'step/start', 'request/header'];
const CHUNKS = ['assistant/chunk', 'assistant/chunk', 'assistant/chunk', 'assistant/chunk', 'assistant/chunk'];
const usage = { prompt_tokens: 7, completion_tokens: 3 };

const process = (more: { ledger?: (real: Ledger) => Ledger } = {}): Promise<ActivityDeps> =>
  testProcess({ projection, model, ...more });

describe('a granted call', () => {
  test('arguments of many calls travel by reference once they are heavy together', async () => {
    const deps = await process();
    const toolCalls = Array.from({ length: 40 }, () => ({ name: 'write', arguments: { content: 'y'.repeat(31_000) } }));
    const step = await atModelCall(deps, answering({ toolCalls }).header);
    const { outcome } = await attempt(streamModelActivity(deps), step.input).result;
    const calls = outcome.kind === 'success' ? outcome.calls : [];
    expect(calls.map((call) => isBlobRef(call.arguments))).toEqual(calls.map((_call, index) => index >= 4));
    const all = await Promise.all(calls.map((call) => deps.values.resolve(step.ref.tenant, call.arguments)));
    expect(all).toEqual(toolCalls.map((call) => JSON.stringify(call.arguments)));
  });

  test('streams into the log and ends with the message, its sources being exactly its chunks', async () => {
    const { header, requests } = answering({ text: 'hi there', usage });
    const deps = await process();
    const step = await atModelCall(deps, header);
    const result = await attempt(streamModelActivity(deps), step.input).result;
    expect(result).toEqual({
      acks: [0, 1, 2, 3].map((seq) => expect.objectContaining({ seq })),
      outcome: {
        kind: 'success',
        finish: 'stop',
        content: [text('hi there')],
        provenance: header.config,
        usage: { inputTokens: 7, outputTokens: 3 },
        calls: [],
        preview: 'hi there',
      },
      chunks: [{ from: 4, to: 8 }],
      written: [expect.objectContaining({ seq: 9 })],
      registry: deps.registry.version(step.ref),
    });
    expect(await logOf(step)).toEqual([...OPENING, ...CHUNKS, 'assistant/message']);
    const events = await eventsOf(step);
    expect(events.at(-1)).toMatchObject({ sourceEventSeqs: [4, 5, 6, 7, 8], data: { content: [text('hi there')] } });
    expect(requests()).toMatchObject([{ request: { lastUser: 'hello', sessionId: step.ref.session } }]);
  });

  test('with a listener on the message, keeps it in the claim only', async () => {
    const { header } = answering({ text: 'hi there' });
    const deps = await process();
    const step = await atModelCall(deps, header, 'hold');
    const result = await attempt(streamModelActivity(deps), step.input).result;
    expect(result).toMatchObject({ outcome: { kind: 'success' }, written: [], chunks: [{ from: 4, to: 8 }] });
    expect(await logOf(step)).toEqual([...OPENING, ...CHUNKS]);
  });

  test('a failing model is a value; what it said stays', async () => {
    const { header } = answering({ text: 'one two three four five six', fault: { kind: 'no-done' } });
    const deps = await process();
    const step = await atModelCall(deps, header);
    const result = await attempt(streamModelActivity(deps), step.input).result;
    expect(result.outcome).toMatchObject({ kind: 'failure', failure: { code: 'STREAM_CLOSED' } });
    expect(await logOf(step)).toEqual([...OPENING, 'assistant/chunk', 'assistant/chunk', 'assistant/chunk']);
  });

  test('large content and arguments travel by reference, and the log holds them whole', async () => {
    const long = 'x'.repeat(40_000);
    const { header } = answering({ toolCalls: [{ name: 'write', arguments: { content: long }, id: 'c1' }] });
    const deps = await process();
    const step = await atModelCall(deps, header);
    const { outcome } = await attempt(streamModelActivity(deps), step.input).result;
    const reference = { $blob: expect.any(String), bytes: expect.any(Number) };
    expect(outcome).toMatchObject({ content: reference, calls: [{ callId: 'c1', arguments: reference }] });
    const message = (await eventsOf(step)).at(-1);
    expect(message?.type === 'assistant/message' && message.data.content).toEqual([
      { type: 'tool-call', id: 'c1', name: 'write', arguments: JSON.stringify({ content: long }) },
    ]);
  });
});

test('listeners around the stream see the request, cannot change it, and may fail the call', async () => {
  const { header, asked } = answering({ text: 'hi there' });
  const deps = await process();
  const seen: unknown[] = [];
  const api = apiOf(deps);
  api.on('llm/stream', ({ options, initiator }, next) => {
    const parts = [options, options.messages, options.messages[0]];
    seen.push(options.messages, initiator.step, parts.every(Object.isFrozen));
    return next();
  });
  const step = await atModelCall(deps, header);
  expect((await attempt(streamModelActivity(deps), step.input).result).outcome).toMatchObject({ kind: 'success' });
  expect(seen).toEqual([[{ role: 'user', content: [text('hello')] }], 1, true]);
  api.on('llm/stream', () => {
    throw new Error('out of budget');
  });
  const next = await atModelCall(deps, header);
  expect((await attempt(streamModelActivity(deps), next.input).result).outcome).toEqual({
    kind: 'failure',
    failure: { code: 'UNKNOWN', message: 'out of budget' },
  });
  expect(asked()).toBe(1);
});

test('a request that cannot be made from the log is not sent', async () => {
  const { header, asked } = answering({ text: 'never said' });
  const deps = await process();
  const step = await atModelCall(deps, header);
  const derived = deps.derived.open(step.input);
  const data = { content: [text('what nobody said')], source: { kind: 'user' as const } };
  derived.readOn([{ type: 'user/message', seq: 1, time: 1, data, surfaceOp: 'append' }]);
  deps.derived.keep(step.input, derived);
  expect((await attempt(streamModelActivity(deps), step.input).result).outcome).toEqual({
    kind: 'failure',
    failure: {
      code: 'INVARIANT',
      message: 'invariant violated by "request": messages of the request before event 2 cannot be made from the log',
    },
  });
  expect(asked()).toBe(0);
});

describe('a second attempt', () => {
  test('of a call that is done gets its outcome; the model is not asked again', async () => {
    const { header, asked } = answering({ text: 'hi there' });
    const step = await atModelCall(await process(), header);
    const first = await attempt(streamModelActivity(await process()), step.input).result;
    const second = await attempt(streamModelActivity(await process()), step.input).result;
    expect(second).toEqual(first);
    expect(asked()).toBe(1);
  });

  test.each([
    ['in the same process joins the running call', true],
    ['in another process waits for it', false],
  ])('of a call that runs %s', async (_what, shared) => {
    const gate = `twice-${shared}`;
    const { header, asked } = answering({ text: 'hi there', hold: gate });
    const deps = await process();
    const step = await atModelCall(deps, header);
    const first = attempt(streamModelActivity(deps), step.input);
    await model.held(gate);
    const second = attempt(streamModelActivity(shared ? deps : await process()), step.input);
    await waitFor(() => second.beats() > 1, { what: 'heartbeats' });
    model.release(gate);
    expect(await second.result).toEqual(await first.result);
    expect(asked()).toBe(1);
    expect((await logOf(step)).filter((type) => type === 'assistant/message')).toHaveLength(1);
  });

  test('of a call whose worker died reports the loss and buys nothing', async () => {
    const { header, asked } = answering({ text: 'never said' });
    const deps = await process();
    const step = await atModelCall(deps, header);
    await beginEffect({ ...projection, owner: 'dead' }, { ...step.input, claim: 't1.s1.model', label: 'test' });
    const { outcome } = await attempt(streamModelActivity(deps), step.input).result;
    expect(outcome).toMatchObject({ kind: 'failure', failure: { code: 'TRANSPORT' } });
    expect(asked()).toBe(0);
  });

  test('that took over is the one that counts: the stalled one writes nothing more', async () => {
    const { header, asked } = answering({ text: 'too late', hold: { gate: 'stalled', afterDeltas: 1 } });
    const stalled = await process({ ledger: (real) => ({ ...real, renew: () => new Promise(() => undefined) }) });
    const step = await atModelCall(stalled, header);
    const late = attempt(streamModelActivity(stalled), step.input);
    await model.held('stalled');
    const { outcome } = await attempt(streamModelActivity(await process()), step.input).result;
    expect(outcome).toMatchObject({ kind: 'failure', failure: { code: 'TRANSPORT' } });
    model.release('stalled');
    await expect(late.result).rejects.toMatchObject({ type: 'CLAIM_LOST', nonRetryable: false });
    expect(asked()).toBe(1);
    expect((await logOf(step)).filter((type) => type === 'assistant/message')).toEqual([]);
  });
});

test('connections that break while it streams cost nothing', async () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index} `);
  const { header } = answering({ text: words, hold: { gate: 'broken', afterDeltas: 20 } });
  const deps = await process();
  const step = await atModelCall(deps, header);
  const running = attempt(streamModelActivity(deps), step.input);
  await model.held('broken');
  await projection.database.pool
    .query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    .catch(() => undefined);
  model.release('broken');
  const { outcome } = await running.result;
  expect(outcome).toMatchObject({ kind: 'success', content: [text(words.join(''))] });
  const said = (await eventsOf(step)).flatMap((event) =>
    event.type === 'assistant/chunk' && event.data.chunk.type === 'text-delta' ? [event.data.chunk.text] : [],
  );
  expect(said.join('')).toBe(words.join(''));
});
