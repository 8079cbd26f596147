import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { contentBlocks } from './content-blocks.ts';
import './core-events.ts';
import {
  eventRule,
  eventTypes,
  isSurfaceType,
  registerEvent,
  validateAuthoredData,
  validateEventData,
} from './event-registry.ts';

const refusal = (code: string, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });
const source = { kind: 'user' };
const ref = { $blob: 'a'.repeat(64), bytes: 9 };
const failure = { message: 'busy', code: 'RATE_LIMIT', status: 429, providerRetryAfterMs: 5, requestId: 'r' };
const at = { turn: 1, step: 2 };

/** One payload of every core event, each optional part present. */
const whole: Record<string, object> = {
  'turn/start': {
    turn: 1,
    trigger: { kind: 'message', source: { kind: 'user', rpcId: 'r', clientTimeZone: 'Europe/Berlin' } },
  },
  'turn/end': { turn: 1, reason: { kind: 'error', step: 1, failure } },
  'step/start': at,
  'step/end': at,
  'user/message': {
    content: [{ type: 'text', text: 'a\0\ud83d' }],
    source: { kind: 'plugin', plugin: 'p', form: 'f', summary: 's' },
  },
  'prompt/blocked': { content: [], source, reason: 'no' },
  'context/message': { content: [{ type: 'reasoning', text: '' }], source, meta: { deep: [null, 1] } },
  'steering/message': { turn: 1, content: [], source },
  'request/header': {
    header: {
      config: { provider: 'p', model: 'm', temperature: 0, maxTokens: 1, stop: ['x'], reasoningEffort: 'max' },
      system: 's',
      tools: [{ name: 't', description: '', parameters: { type: 'object' } }],
      messagePrefix: [{ role: 'assistant', content: [], provenance: { provider: 'p', model: 'm' } }],
    },
    reason: 'initial',
  },
  'assistant/chunk': { ...at, chunk: { type: 'block-end', index: 0, block: { type: 'text', text: 'x' } } },
  'assistant/message': {
    ...at,
    content: [{ type: 'tool-call', id: 'c', name: 'n', arguments: '{' }],
    provenance: { provider: 'p', model: 'm', replayState: { blocks: [] } },
    usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 1 },
  },
  'tool/call': { ...at, callId: 'c', name: 'n', arguments: '' },
  'tool/result': { ...at, callId: 'c', content: [], isError: true, error: { name: 'E', code: 'C' }, meta: null },
  'todo/write': { todos: [{ content: 'x', status: 'in_progress' }] },
  'deliverables/presented': { turn: 1, callId: 'c', files: [{ path: 'a', description: 'd' }, { path: 'b' }] },
  'web/deepseek-search-llm-request': { endpoint: 'https://x/messages', apiVersion: '1', body: {} },
  'llm/retry': { ...at, retry: 1, maxRetries: 2, delayMs: 500, failure },
  'approval/asked': { id: 'a', toolName: 'bash', callId: 'c', reason: 'r' },
  'approval/decided': { id: 'a', outcome: 'allowed-once' },
};

describe('core events', () => {
  test('every type has a validator that takes its payload whole and nothing more', () => {
    expect(eventTypes().toSorted()).toEqual(Object.keys(whole).toSorted());
    for (const [type, data] of Object.entries(whole)) {
      expect(() => validateEventData(type, data)).not.toThrow();
      expect(() => validateEventData(type, { ...data, extra: 1 })).toThrow(
        refusal('DOMAIN_INVALID_EVENT', `${type}.data`),
      );
    }
  });

  test('exactly the five message types stand on the surface', () => {
    expect(
      eventTypes()
        .filter((type) => isSurfaceType(type))
        .toSorted(),
    ).toEqual(['assistant/message', 'context/message', 'steering/message', 'tool/result', 'user/message']);
  });

  test.each([
    ['an aborted end with a cause', 'turn/end', { turn: 1, reason: { kind: 'aborted', cause: 'user' } }, 'reason'],
    [
      'an end with both forms of error',
      'turn/end',
      { turn: 1, reason: { kind: 'error', step: 1, failure, message: 'm' } },
      'reason',
    ],
    [
      'a header without a provider',
      'request/header',
      { header: { config: { model: 'm' } }, reason: 'initial' },
      'header.config.provider',
    ],
    [
      'the header reason fallback',
      'request/header',
      { header: { config: { provider: 'p', model: 'm' } }, reason: 'fallback' },
      'reason',
    ],
    [
      'a provenance without a model',
      'assistant/message',
      { ...at, content: [], provenance: { provider: 'p' } },
      'provenance.model',
    ],
    [
      'an unknown block',
      'user/message',
      { content: [{ type: 'video' }], source },
      'content[0].type: unknown content block "video"',
    ],
    [
      'an unknown source',
      'user/message',
      { content: [], source: { kind: 'ghost' } },
      'source.kind: unknown message source "ghost"',
    ],
    [
      'a bad block inside a result',
      'user/message',
      { content: [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'text' }] }], source },
      'content[0].content[0].text',
    ],
    ['a turn 0', 'step/start', { turn: 0, step: 1 }, 'turn'],
    [
      'a status out of range',
      'llm/retry',
      { ...at, retry: 1, maxRetries: 1, delayMs: 0, failure: { ...failure, status: 42 } },
      'failure.status',
    ],
    [
      'an undefined optional part',
      'tool/result',
      { ...at, callId: 'c', content: [], isError: false, meta: undefined },
      'meta',
    ],
    ['a reference in a stored row', 'user/message', { content: ref, source }, 'content'],
  ])('refuse %s', (_what, type, data, field) => {
    expect(() => validateEventData(type, data)).toThrow(refusal('DOMAIN_INVALID_EVENT', `${type}.data.${field}`));
  });

  test('authors may refer to content, arguments and headers', () => {
    validateAuthoredData('user/message', { content: ref, source });
    validateAuthoredData('tool/call', { ...at, callId: 'c', name: 'n', arguments: ref });
    validateAuthoredData('request/header', { header: ref, reason: 'change' });
    expect(() => validateAuthoredData('tool/call', { ...at, callId: 'c', name: ref, arguments: ref })).toThrow(
      'tool/call.data.name',
    );
  });

  test('an unknown type is refused, and a type is registered once', () => {
    expect(() => eventRule('request/header-delta')).toThrow(refusal('DOMAIN_UNKNOWN_VARIANT', 'request/header-delta'));
    const schema = z.strictObject({ todos: z.array(z.never()) });
    expect(() => registerEvent('todo/write', { schema })).toThrow(refusal('DOMAIN_DUPLICATE_VARIANT', 'todo/write'));
    const block = z.strictObject({ type: z.literal('text'), text: z.string() });
    expect(() => contentBlocks.register('text', block)).toThrow(
      refusal('DOMAIN_DUPLICATE_VARIANT', 'content block "text"'),
    );
  });
});
