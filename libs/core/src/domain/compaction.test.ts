import { expect, test } from 'vitest';
import { compactionPolicy, retainedTokens, thresholdTokens } from './compaction-policy.ts';
import { text } from './content.ts';
import type { SurfaceEvent } from './events.ts';
import { CallId } from './ids.ts';
import { pruneResults } from './prune-results.ts';
import { SUMMARY_INSTRUCTION, summaryMessage, summaryOf } from './summary-message.ts';

const route = { provider: 'p', model: 'm' };

test('policies: defaults, what a deployment says, and what it says of one model', () => {
  const usual = compactionPolicy({}, route);
  expect(usual).toEqual({
    auto: true,
    thresholdRatio: 0.8,
    retain: { ratio: 0.16 },
    maxTokens: 8192,
    compactionRetries: 1,
    maxOverflowRetries: 1,
  });
  expect([thresholdTokens(usual, 128_000), retainedTokens(usual, 128_000)]).toEqual([102_400, 20_480]);
  const config = {
    auto: false,
    retainTokens: 500,
    modelPolicies: [{ ...route, auto: true, thresholdRatio: 0.5 }],
  };
  expect(compactionPolicy(config, { ...route, model: 'other' })).toMatchObject({ auto: false, thresholdRatio: 0.8 });
  expect(compactionPolicy(config, route)).toMatchObject({ auto: true, thresholdRatio: 0.5, retain: { tokens: 500 } });
  expect(retainedTokens(compactionPolicy(config, route), 600)).toBe(299);
});

const result = (...content: ReturnType<typeof text>[]): SurfaceEvent => ({
  type: 'tool/result',
  seq: 4,
  time: 1,
  data: { turn: 1, step: 1, callId: CallId.parse('c'), content, isError: false },
  surfaceOp: 'append',
});

test('long results keep their head and tail, and no code point is split', () => {
  const long = `a${'😀'.repeat(4_000)}\n${'b'.repeat(3_500)}${'😀'.repeat(1_000)}z`;
  const [pruned, ...more] = pruneResults([result(text('short'), text(long)), result(text('x'.repeat(8_192)))]);
  expect(more).toEqual([]);
  const head = `a${'😀'.repeat(4_000)}\n${'b'.repeat(94)}`;
  const tail = `${'b'.repeat(23)}${'😀'.repeat(1_000)}z`;
  const mark = '\n\n[... tool result middle pruned ...]\n\n';
  expect(pruned?.content).toEqual([text('short'), text(`${head}${mark}${tail}`)]);
  expect(Array.from(head)).toHaveLength(4_096);
  expect(Array.from(tail)).toHaveLength(1_024);
});

test('characters of two units count once, so that a shorter copy is shorter and is not cut again', () => {
  const most = '😀'.repeat(8_192);
  expect(pruneResults([result(text(most))])).toEqual([]);
  const [pruned] = pruneResults([result(text(`${most}😀`))]);
  const [copy] = pruned?.content ?? [];
  expect(copy?.type === 'text' && copy.text.length).toBeLessThan(most.length);
  expect(copy?.type === 'text' && pruneResults([result(copy)])).toEqual([]);
});

test('only words make a summary', () => {
  const call = { type: 'tool-call' as const, id: CallId.parse('c'), name: 'read', arguments: '{}' };
  const thought = { type: 'reasoning' as const, text: 'hm' };
  expect(summaryOf({ finish: 'tool-calls', content: [thought, text('so far'), call] })).toEqual({
    summary: [text('so far')],
  });
  expect(summaryOf({ finish: 'tool-calls', content: [call] })).toMatchObject({
    message: 'the summary calls tools and says nothing',
  });
  expect(summaryOf({ finish: 'stop', content: [text(' ')] })).toMatchObject({ message: 'the summary is empty' });
  expect(summaryOf({ finish: 'max-tokens', content: [text('so')] })).toMatchObject({ code: 'EMPTY_RESPONSE' });
});

test('a summary is framed, and asked for under its eight headings', () => {
  expect(summaryMessage([text('so far')]).map((block) => block.type === 'text' && block.text)).toEqual([
    expect.stringMatching(/\n<compacted-summary>\n$/),
    'so far',
    '\n</compacted-summary>',
  ]);
  expect(SUMMARY_INSTRUCTION.split('\n').filter((line) => line.startsWith('## '))).toEqual([
    '## Primary Request and Intent',
    '## Key Technical Concepts',
    '## Files and Code',
    '## Errors and Fixes',
    '## Pending Tasks',
    '## Current Work',
    '## Next Step',
    '## Critical Context',
  ]);
});
