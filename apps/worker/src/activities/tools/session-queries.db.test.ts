import {
  text,
  type AuthoredEvent,
  type AuthoredSurface,
  type CallId,
  type SessionId,
  type TenantId,
} from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import { startScriptedModel, type ScriptedModel } from '@everturn/core/providers';
import { executeTool } from '@everturn/tools/activity';
import { resultText } from '@everturn/tools/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commit, openLog } from '../../projection/index.ts';
import {
  author,
  closeTestProjection,
  newSession,
  openTestProjection,
  source,
} from '../../projection/test/test-session.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { testProcess } from '../testing/test-process.ts';
import { callContext } from './call-context.ts';

let model: ScriptedModel;
let deps: ActivityDeps;
const tenant = 'acme' as TenantId;

beforeAll(async () => {
  await openTestProjection();
  model = await startScriptedModel();
  deps = await testProcess({ projection: (await newSession()).projection, model });
  await session('root', { cwd: '/w' }, 'where the walrus sleeps');
  await session('mine', { cwd: '/w', parentSession: 'root' }, 'the walrus, the walrus', 'open');
  await session('child', { cwd: '/w', parentSession: 'mine' }, 'a Walrus again: the walrus sleeps');
  await session('abroad', { cwd: '/w/', parentSession: 'mine' }, 'the walrus sleeps elsewhere');
  await session('folderless', {}, 'the walrus');
  await session('orphan', { cwd: '/o', parentSession: 'nowhere' }, 'alone');
  await session('hen', { cwd: '/l', parentSession: 'egg' }, 'first');
  await session('egg', { cwd: '/l', parentSession: 'hen' }, 'first');
  await session('summed-up', { cwd: '/s' }, 'long ago');
  await more('summed-up', [
    { data: { content: [text('so it was')], source }, surface: replacing(1, 3) },
    { data: { content: [text('so it was, in short')], source }, surface: replacing(7, 7) },
  ]);
  await session('many', { cwd: '/m' }, 'the octopus');
  const octopus = { content: [text('the octopus')], source };
  await more(
    'many',
    Array.from({ length: 100 }, () => ({ data: octopus, surface: { surfaceOp: 'append' as const } })),
  );
});
afterAll(async () => {
  await model.close();
  await closeTestProjection();
});

/** A session of one turn, in whose only step a note is kept. */
async function session(id: string, header: object, words: string, tail: 'closed' | 'open' = 'closed'): Promise<void> {
  const key = { tenant, session: id as SessionId };
  await startSessionRow(deps.database, {
    ...key,
    header: { version: 0, id, createdAt: 1, ...header },
    options: {},
    ...parentOf(header),
  } as never);
  await openLog(deps.projection, { ...key, intent: 'open', runId: 'run' });
  const [turn, step] = [author('t1'), author('t1.s1')];
  const events = [
    turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    turn('user/message', { content: [text(words)], source }, 0, { surfaceOp: 'append' }),
    step('step/start', { turn: 1, step: 1 }),
    turn('context/message', { content: [text('the walrus of this step')], source }, 0, { surfaceOp: 'append' }),
    ...(tail === 'closed'
      ? [turn('step/end', { turn: 1, step: 1 }), turn('turn/end', { turn: 1, reason: { kind: 'completed' } })]
      : []),
  ] as AuthoredEvent[];
  await commit(deps.projection, { ...key, generation: 1, commit: { events, highestAcknowledged: -1 } });
}

const replacing = (start: number, end: number) => ({
  surfaceOp: { op: 'replace' as const, start, end },
  sources:
    start === end
      ? [{ from: start, to: end }]
      : [
          { from: start, to: start },
          { from: end, to: end },
        ],
});

/** A turn that only says these things. */
async function more(id: string, said: { data: object; surface: AuthoredSurface }[]): Promise<void> {
  const turn = author('t2');
  const events = [
    turn('turn/start', { turn: 2, trigger: { kind: 'message', source } }),
    ...said.map(({ data, surface }) => turn('user/message', data as never, 0, surface)),
    turn('turn/end', { turn: 2, reason: { kind: 'completed' } }),
  ];
  const key = { tenant, session: id as SessionId, generation: 1 };
  await commit(deps.projection, { ...key, commit: { events, highestAcknowledged: -1 } });
}

const parentOf = (header: object) => ('parentSession' in header ? { parent: header.parentSession } : {});

async function call(name: string, args: object, from = 'mine', step = 1) {
  const place = {
    tenant,
    session: from as SessionId,
    turn: 1,
    step,
    call: { index: 0, callId: 'c' as CallId, name, arguments: '{}', concurrency: 'exclusive' as const },
  };
  const context = await callContext(deps, place, new AbortController().signal);
  const result = await executeTool({ name, args, context });
  return result.error ? result.error.code : resultText(result);
}

test('other sessions of the very same folder are searched, the best first', async () => {
  const found = await call('session_search', { query: 'the WALRUS' });
  expect(found).toMatch(/^Session search results \(2\):\n1\. Session (child|root) — untitled\n   Created: .*Z\n/);
  expect(found).toContain(
    '   Parent: root\n   Availability: live, persisted\n   Best match: seq 1 | user/message | current | ',
  );
  expect(found).toContain('   Snippet: where the walrus sleeps');
  expect(found).not.toMatch(/abroad|folderless|Session mine/);
  expect(await call('session_search', { query: 'the walrus', parent_session_ids: ['mine'] })).toContain(
    '(1):\n1. Session child',
  );
  expect(await call('session_search', { query: 'the walrus', parent_session_ids: ['abroad'] })).toBe(
    'No prior session matches found.',
  );
  expect(await call('session_search', { query: 'no such word' })).toBe('No prior session matches found.');
  expect(await call('session_search', { query: 'walrus' }, 'folderless')).toBe('SESSION_QUERY_TOOL_UNAUTHORIZED');
  expect(await call('session_search', { query: '…' })).toBe('SESSION_QUERY_INVALID_QUERY');
  expect(await call('session_search', { query: 'walrus', event_types: [] })).toBe('INVALID_ARGS');
  expect(await call('session_search', { query: 'walrus', event_time_from: '2026-01-01T00:00:00' })).toBe(
    'INVALID_ARGS',
  );
});

test('of its own session a step finds what was before it; of others everything', async () => {
  const own = await call('session_event_search', { query: 'the walrus' });
  expect(own).toMatch(
    /^Session mine — untitled\nEvent search results \(1\):\n1\. seq 1 \| user\/message \| current \| .*Z\n   Snippet: the walrus, the walrus$/,
  );
  expect(await call('session_event_search', { query: 'walrus', session_id: 'child' })).toContain(
    'Event search results (2):',
  );
  expect(await call('session_event_search', { query: 'walrus', session_id: 'abroad' })).toBe(
    'SESSION_QUERY_SESSION_NOT_FOUND',
  );
  expect(await call('session_event_search', { query: 'walrus', session_id: 'nobody' })).toBe(
    'SESSION_QUERY_SESSION_NOT_FOUND',
  );
  expect(await call('session_event_search', { query: 'walrus' }, 'mine', 7)).toBe('SESSION_QUERY_TOOL_NO_CURRENT_STEP');
  expect(await call('session_event_search', { query: 'nothing', session_id: 'root' })).toBe(
    'Session root — untitled\nNo prior event matches found.',
  );
});

test('lineage marks what lies in another folder', async () => {
  const traced = await call('session_trace', {});
  expect(traced).toMatch(/^Session mine — untitled\nCreated: .*Z\nAvailability: live, persisted\n/);
  expect(traced).toContain(
    'Ancestors (nearest first):\n- root — untitled\nDescendants:\n- [outside workspace subtree]\n- child — untitled',
  );
  expect(await call('session_trace', { session_id: 'root' })).toContain(
    '- none (target is a root session)\nDescendants:\n- mine — untitled\n  - ',
  );
});

test('a lineage that ends nowhere, or in itself', async () => {
  expect(await call('session_trace', {}, 'orphan')).toContain(
    'Ancestors (nearest first):\n- [outside workspace boundary]\nDescendants:\n- none',
  );
  expect(await call('session_trace', {}, 'hen')).toBe('SESSION_QUERY_INVALID_LINEAGE');
});

test('an event that was replaced twice is traced to what stands in its place', async () => {
  expect(await call('session_event_trace', { seq: 1 }, 'summed-up')).toContain(
    'Replaced by: 7\nReplacement chain: 7, 8\nEvents replaced by target: none\nEvents cited directly as sources: none\nDirect derived events: 7',
  );
  expect(await call('session_event_trace', { seq: 7 }, 'summed-up')).toContain(
    'Replaced by: 8\nReplacement chain: 8\nEvents replaced by target: 1, 3\nEvents cited directly as sources: 1, 3\nDirect derived events: 8',
  );
  const found = await call('session_event_search', { query: 'long ago', session_id: 'summed-up' }, 'summed-up', 1);
  expect(found).toContain('1. seq 1 | user/message | shadowed | ');
});

test('more than a hundred hits are cut, and the model is told', async () => {
  await session('reader', { cwd: '/m' }, 'looks');
  const found = await call('session_event_search', { query: 'octopus', session_id: 'many' }, 'reader');
  expect(found).toMatch(/^Session many — untitled\nEvent search results \(100\):\n/);
  expect(found).toMatch(/\nResult cap reached\. Narrow the query or add filters to find additional matches\.$/);
});

test('an event is read with its neighbours, and traced', async () => {
  const read = await call('session_event_read', { seq: 1, before: 1, after: 1, session_id: 'child' });
  expect(read).toContain('Target event seq 1:\n```json\n{\n  "type": "user/message",');
  expect(read).toMatch(/Before:\n- seq 0 \| turn\/start \| .* \| \(no semantic text\)\nAfter:\n- seq 2 \| step\/start/);
  expect(await call('session_event_read', { seq: 99 })).toBe('SESSION_QUERY_EVENT_NOT_FOUND');
  expect(await call('session_event_read', { seq: 1, before: 51 })).toBe('SESSION_QUERY_INVALID_WINDOW');
  expect(await call('session_event_trace', { seq: 1 })).toMatch(
    /^Target: seq 1 \| user\/message \| .*Z\nReplaced by: none\nReplacement chain: none\nEvents replaced by target: none\nEvents cited directly as sources: none\nDirect derived events: none$/,
  );
});
