import {
  contentBlocks,
  eventRule,
  isSurfaceType,
  messageSources,
  parseAgentOptions,
  registerAgentOption,
  registerEvent,
  SessionLog,
  turnEndReasons,
  turnTriggers,
  validateEventData,
} from '@everturn/core/domain';
import type {
  AgentOptions,
  ContentBlock,
  MessageSource,
  SessionEventOf,
  SurfaceEventType,
  TurnEndReason,
  TurnTrigger,
} from '@everturn/core/domain';
import { z } from 'zod';
import { expect, expectTypeOf, test } from 'vitest';

declare module '@everturn/core/domain' {
  interface ContentBlockMap {
    'test-image': { type: 'test-image'; attachmentId: string };
  }
  interface MessageSourceMap {
    'test-job': { kind: 'test-job'; jobId: string };
  }
  interface TurnTriggerMap {
    'test-title': { kind: 'test-title' };
  }
  interface TurnEndReasonMap {
    'test-budget': { kind: 'test-budget'; rounds: number };
  }
  interface SessionEventMap {
    'test/note': { note: string };
    'test/card': { content: ContentBlock[] };
  }
  interface SurfaceEventMap {
    'test/card': true;
  }
  interface AgentOptions {
    testPersona?: string;
  }
}

test('a package outside the domain adds a variant to each map, typed and validated', () => {
  contentBlocks.register('test-image', z.strictObject({ type: z.literal('test-image'), attachmentId: z.string() }));
  messageSources.register('test-job', z.strictObject({ kind: z.literal('test-job'), jobId: z.string() }));
  turnTriggers.register('test-title', z.strictObject({ kind: z.literal('test-title') }));
  turnEndReasons.register('test-budget', z.strictObject({ kind: z.literal('test-budget'), rounds: z.int() }));
  registerEvent('test/note', { schema: z.strictObject({ note: z.string() }), outOfBand: true });
  registerEvent('test/card', { schema: z.strictObject({ content: z.array(contentBlocks.schema) }), surface: true });
  registerAgentOption('testPersona', z.string().min(1));

  const log = new SessionLog({ author: 'session', generation: 1, now: () => 1 });
  log.append('turn/start', { turn: 1, trigger: { kind: 'test-title' } });
  log.append('test/note', { note: 'n' });
  const content: ContentBlock[] = [{ type: 'test-image', attachmentId: 'a' }];
  log.append('test/card', { content }, { surfaceOp: 'append' });
  log.append('user/message', { content, source: { kind: 'test-job', jobId: 'j' } }, { surfaceOp: 'append' });
  log.append('turn/end', { turn: 1, reason: { kind: 'test-budget', rounds: 3 } });

  expect(log.pending().map(({ type }) => type)).toEqual([
    'turn/start',
    'test/note',
    'test/card',
    'user/message',
    'turn/end',
  ]);
  expect([isSurfaceType('test/card'), isSurfaceType('test/note'), eventRule('test/note').outOfBand]).toEqual([
    true,
    false,
    true,
  ]);
  expect(parseAgentOptions({ testPersona: 'p' })).toEqual({ testPersona: 'p' });
});

test('a merged variant is as strict as the others', () => {
  const refused = (type: string, data: object, field: string) =>
    expect(() => validateEventData(type, data)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(field) }),
    );
  refused('test/note', { note: 'n', extra: 1 }, 'extra');
  refused('test/card', { content: [{ type: 'test-image' }] }, 'content[0].attachmentId');
  refused('turn/start', { turn: 1, trigger: { kind: 'test-title', extra: 1 } }, 'extra');
  refused('turn/end', { turn: 1, reason: { kind: 'test-budget', rounds: 0.5 } }, 'reason.rounds');
  refused('user/message', { content: [], source: { kind: 'test-job' } }, 'source.jobId');
  expect(() => parseAgentOptions({ testPersona: '' })).toThrow('options.testPersona');
});

test('types follow the merged maps', () => {
  expectTypeOf<{ type: 'test-image'; attachmentId: string }>().toExtend<ContentBlock>();
  expectTypeOf<{ kind: 'test-job'; jobId: string }>().toExtend<MessageSource>();
  expectTypeOf<{ kind: 'test-title' }>().toExtend<TurnTrigger>();
  expectTypeOf<{ kind: 'test-budget'; rounds: number }>().toExtend<TurnEndReason>();
  expectTypeOf<'test/card'>().toExtend<SurfaceEventType>();
  expectTypeOf<SessionEventOf<'test/note'>['data']>().toEqualTypeOf<{ note: string }>();
  expectTypeOf<AgentOptions['testPersona']>().toEqualTypeOf<string | undefined>();
  // @ts-expect-error a type that was not merged is no event
  expectTypeOf<SessionEventOf<'test/other'>>();
  const card = { schema: z.strictObject({ content: z.array(contentBlocks.schema) }) };
  // @ts-expect-error a surface event says so when it registers
  expect(() => registerEvent('test/card', card)).toThrow('already registered');
  const note = { schema: z.strictObject({ note: z.string() }), surface: true as const };
  // @ts-expect-error a log-only event has no place on the surface
  expect(() => registerEvent('test/note', note)).toThrow('already registered');
});
