import { text, type EpochHeader, type SessionEvent } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import type { ActivityDeps } from '../activity-deps.ts';
import { DerivedSessions } from './derived-sessions.ts';
import { roomAfter } from './room.ts';

const header = (model: string, system = 's'.repeat(400)): EpochHeader => ({ config: { provider: 'p', model }, system });
const answer = { content: [text('ok')] };

/** A session in which a person said something of so many characters. */
function derivedFrom(characters: number) {
  const derived = new DerivedSessions().open({ session: 's' as never, generation: 0 });
  const data = { content: [text('x'.repeat(characters))], source: { kind: 'user' } };
  derived.readOn([{ type: 'user/message', seq: 0, time: 1, data, surfaceOp: 'append' } as SessionEvent]);
  return derived;
}

function worker(contextWindow?: number) {
  const warned: string[] = [];
  const deps = {
    llm: { context: () => (contextWindow === undefined ? {} : { contextWindow }) },
    compaction: {},
    log: { warn: ({ model }: { model: string }) => void warned.push(model) },
  } as unknown as ActivityDeps;
  return { deps, warned };
}

test('the room is what the threshold leaves of prices, or of what the provider counted if that is more', () => {
  const { deps } = worker(1_000);
  const derived = derivedFrom(400);
  const priced = 400 / 4 + 4 + (400 / 4 + 4 + 4) + (1 + 4 + 4);
  expect(roomAfter(deps, { header: header('m'), derived, answer })).toBe(800 - priced);
  const usage = { inputTokens: 500, outputTokens: 20, cacheReadTokens: 30 };
  expect(roomAfter(deps, { header: header('m'), derived, answer: { ...answer, usage } })).toBe(800 - 550);
  const few = { inputTokens: 1, outputTokens: 1 };
  expect(roomAfter(deps, { header: header('m'), derived, answer: { ...answer, usage: few } })).toBe(800 - priced);
});

test('nothing is shortened in time where nobody knows the window, which is told once a model, or where it is off', () => {
  const { deps, warned } = worker();
  const derived = derivedFrom(4);
  for (const model of ['one', 'two', 'one', 'one'])
    expect(roomAfter(deps, { header: header(model), derived, answer })).toBeUndefined();
  expect(warned).toEqual(['p/one', 'p/two']);
  const off = { ...worker(1_000).deps, compaction: { auto: false } };
  expect(roomAfter(off, { header: header('m'), derived, answer })).toBeUndefined();
});

test('nor where the window is full without any history', () => {
  const { deps } = worker(1_000);
  const input = { derived: derivedFrom(4), answer };
  expect(roomAfter(deps, { ...input, header: header('m', 's'.repeat(3_180)) })).toBe(-17);
  expect(roomAfter(deps, { ...input, header: header('m', 's'.repeat(3_200)) })).toBeUndefined();
});
