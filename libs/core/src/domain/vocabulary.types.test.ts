import { expectTypeOf, test } from 'vitest';
import type { AuthoredEventOf } from './authored.ts';
import type { BlobRef } from './blob.ts';
import type { ContentBlock } from './content.ts';
import type { SessionEvent, SessionEventOf, SurfaceOp } from './events.ts';
import type { BlobId, CallId, EventId, HostId, RequestId, SessionId, TenantId } from './ids.ts';
import { SessionLog } from './session-log.ts';

// These are judged by the compiler; running them only proves that the file compiles.

test('ids do not mix with each other or with plain strings', () => {
  type Ids = [SessionId, TenantId, CallId, RequestId, HostId, EventId, BlobId];
  expectTypeOf<SessionId>().toExtend<string>();
  expectTypeOf<string>().not.toExtend<Ids[number]>();
  expectTypeOf<SessionId>().not.toExtend<TenantId | CallId | RequestId | HostId | EventId | BlobId>();
  expectTypeOf<CallId>().not.toExtend<SessionId | RequestId>();
  expectTypeOf<RequestId>().not.toExtend<SessionId | HostId>();
});

test('surface fields exist exactly on surface types', () => {
  type Todo = SessionEventOf<'todo/write'>;
  type User = SessionEventOf<'user/message'>;
  expectTypeOf<User['surfaceOp']>().toEqualTypeOf<SurfaceOp>();
  expectTypeOf<Todo['surfaceOp']>().toEqualTypeOf<undefined>();
  expectTypeOf<Omit<User, 'surfaceOp'>>().not.toExtend<User>();
  expectTypeOf<Todo & { surfaceOp: 'append' }>().toBeNever();
  expectTypeOf<AuthoredEventOf<'todo/write'>['sources']>().toEqualTypeOf<undefined>();
});

test('appending says where a surface event stands, and nothing else does', () => {
  const log = new SessionLog({ author: 'session', generation: 1, now: () => 1 });
  const source = { kind: 'user' as const };
  const attempts = [
    // @ts-expect-error a surface event needs its place
    () => log.append('user/message', { content: [], source }),
    // @ts-expect-error a log-only event has none
    () => log.append('todo/write', { todos: [] }, { surfaceOp: 'append' }),
    // @ts-expect-error a typo in the type
    () => log.append('todo/wirte', { todos: [] }),
    // @ts-expect-error a typo in a tag
    () => log.append('turn/end', { turn: 1, reason: { kind: 'complete' } }),
    // @ts-expect-error a member too many
    () => log.append('turn/end', { turn: 1, reason: { kind: 'aborted', cause: 'user' } }),
    // @ts-expect-error a plain string is no call id
    () => log.append('tool/call', { turn: 1, step: 1, callId: 'c', name: 'n', arguments: '' }),
  ];
  expectTypeOf(attempts).toBeArray();
});

test('authors may refer to large members, readers never see a reference', () => {
  expectTypeOf<BlobRef>().toExtend<AuthoredEventOf<'user/message'>['data']['content']>();
  expectTypeOf<BlobRef>().not.toExtend<SessionEventOf<'user/message'>['data']['content']>();
  expectTypeOf<BlobRef>().not.toExtend<AuthoredEventOf<'tool/call'>['data']['name']>();
});

test('tags are closed where they should be', () => {
  expectTypeOf<{ type: 'txet'; text: string }>().not.toExtend<ContentBlock>();
  expectTypeOf<{ type: 'text'; text: string }>().toExtend<ContentBlock>();
  expectTypeOf<'assistant/chunks'>().not.toExtend<SessionEvent['type']>();
});
