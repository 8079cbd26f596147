import { pino } from 'pino';
import { expect, test } from 'vitest';
import { text, type AuthoredEvent, type EpochHeader } from '@everturn/core/domain';
import { llmRegistry, type RequestView } from '@everturn/core/providers';
import { summaryClaim, type CompactionPlan } from '../contract/index.ts';
import { commit } from '../projection/index.ts';
import { author, newSession, source } from '../projection/test/test-session.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { planCompactionActivity } from './plan-compaction.ts';
import { summarizeActivity } from './summarize.ts';
import { model, projection } from './testing/servers.ts';
import { attempt, testProcess } from './testing/test-process.ts';

const nothing = { events: [], highestAcknowledged: -1 };
const header: EpochHeader = {
  config: { provider: 'scripted', model: 'talker', temperature: 0.5, stop: ['##'], reasoningEffort: 'high' },
  system: 'be brief',
  messagePrefix: [{ role: 'user', content: [text('rules')] }],
};

/** A session in whose open turn a person said these words. */
async function saying(words: string[], more: Partial<ActivityDeps> = {}) {
  const deps = {
    ...(await testProcess({ projection, model })),
    llm: llmRegistry({
      routes: [
        {
          id: 'scripted',
          name: 'Scripted',
          dialect: 'scripted',
          baseUrl: model.url,
          models: [{ id: 'talker', contextWindow: 1_000 }],
        },
      ],
      streamIdleTimeoutMs: 30_000,
      streamSilenceLimitMs: 30_000,
    }),
    ...more,
  };
  const { ref } = await newSession();
  const by = author('t1');
  const events = [
    by('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    ...words.map((each) => by('user/message', { content: [text(each)], source }, 0, { surfaceOp: 'append' })),
  ] as AuthoredEvent[];
  await commit(deps.projection, { ...ref, commit: { events, highestAcknowledged: -1 } });
  return { deps, ref, reference: await deps.values.store(ref.tenant, header) };
}

test('summaries that leave a history too long are as many as they may be; the log says how long it is', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const { deps, ref, reference } = await saying(['x'.repeat(8_000), 'y'.repeat(800)], { log });
  const plan = async (summaries: number): Promise<CompactionPlan> => {
    const input = { ...ref, trigger: 'pressure' as const, header: reference, summaries, priorOverflows: 0 };
    return (await attempt(planCompactionActivity(deps), { ...input, commit: nothing }).result).plan;
  };
  expect(await plan(0)).toMatchObject({ kind: 'sum-up', span: { shadowedSeqs: [1] } });
  expect((await plan(1)).kind).toBe('sum-up');
  expect(await plan(2)).toEqual({ kind: 'enough', vain: true });
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    expect.stringMatching(/^compaction still above threshold after 2 compaction attempts \(2\d{3} of 1000 tokens\)$/),
  ]);
});

test('who sums up is a matter of policy; what is asked begins as the session’s own requests do', async () => {
  const asked: RequestView[] = [];
  const compaction = { maxTokens: 77, summarization: { provider: 'scripted', model: 'summer' } };
  const { deps, ref, reference } = await saying(['first '.repeat(100), 'second'], { compaction });
  const summarize = async (answer: object, { n, end = 1 }: { n: number; end?: number }) => {
    model.script('summer', (request) => {
      asked.push(request);
      return answer;
    });
    const span = { start: 1, end, nodes: 1, tokens: 150 };
    const input = { ...ref, turn: 1, step: 0, claim: summaryClaim(1, 0, n), header: reference, span, commit: nothing };
    return (await attempt(summarizeActivity(deps), input).result).outcome;
  };
  const route = { provider: 'scripted', model: 'summer' };
  expect(await summarize({ text: '- so far' }, { n: 0 })).toMatchObject({
    kind: 'summary',
    ...route,
    maxTokens: 77,
    summary: [text('- so far')],
  });
  const [request] = asked;
  expect(request).toMatchObject({ purpose: 'compaction', sessionId: ref.session });
  expect(request?.body).toMatchObject({ temperature: 0.5, max_tokens: 77 });
  // Another model may know no such level, and a word that ends answers would end a summary at its first heading.
  expect(request?.body).not.toHaveProperty('reasoning_effort');
  expect(request?.body).not.toHaveProperty('stop');
  expect(request?.messages.map(({ role, content }) => [role, content.slice(0, 8)])).toEqual([
    ['system', 'be brief'],
    ['user', 'rules'],
    ['user', 'first fi'],
    ['user', 'Write a '],
  ]);
  const failure = async (...of: Parameters<typeof summarize>) => {
    const outcome = await summarize(...of);
    return outcome.kind === 'failure' ? [outcome.failure.code, outcome.failure.message] : outcome;
  };
  expect(await failure({ text: 'cut', finish: 'length' }, { n: 1 })).toEqual([
    'EMPTY_RESPONSE',
    'the summary was cut off at its limit of tokens',
  ]);
  expect(await failure({ text: '- long '.repeat(100) }, { n: 2 })).toEqual([
    'NOT_SMALLER',
    'summary is not smaller than the shadowed content',
  ]);
  expect((await failure({ text: 'never' }, { n: 3, end: 2 }))[0 as never]).toBe('CHANGED');
  expect(asked).toHaveLength(3);
});
