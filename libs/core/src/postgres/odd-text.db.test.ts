import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageEntry, SessionId, TenantId } from '../domain/index.ts';
import { openTestDatabase } from '../testing/index.ts';
import { acceptPrompt } from './prompts.ts';
import { lastTurnEnd } from './last-words.ts';
import { childrenAtWork, openChildren } from './session-tree.ts';
import { readSessionView } from './session-view.ts';
import { readProjections } from './session-projections.ts';
import { readTitleMaterial } from './title-material.ts';

const { database, drop } = await openTestDatabase();
afterAll(drop);

const key = { tenant: 'acme' as TenantId, session: 'odd' as SessionId };
/** What jsonb refuses, and what only looks like it. */
const ODD = 'a\0\0b \ud83d c \ude00 😀 \\u0000 \\ud83d';
const content = [{ type: 'text', text: ODD }];
const reason = { kind: 'error', step: 1, failure: { code: 'SERVER', message: ODD } };

beforeAll(async () => {
  const said = { content, source: { kind: 'user' } };
  const round = { content, source: { kind: 'goal', goalId: 'g', revision: 1, round: 1 } };
  const log: [string, object][] = [
    ['turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'team-message', senderName: ODD } } }],
    ['user/message', said],
    ['user/message', round],
    ['turn/end', { turn: 1, reason }],
  ];
  await sql`insert into sessions (id, tenant, header, options, status)
    values (${key.session}, ${key.tenant}, '{}', '{}', 'idle')`.execute(database);
  const delegation = { mode: 'continuable', provider: 'spawn', label: ODD };
  await sql`insert into sessions (id, tenant, header, options, status, parent_id)
    values ('child', ${key.tenant}, '{}', ${JSON.stringify({ delegation })}, 'running', ${key.session})`.execute(
    database,
  );
  const entry = { requestId: 'r', kind: 'prompt', content, source: { kind: 'user' }, preview: ODD };
  await acceptPrompt(database, { ...key, mode: 'send', entry: entry as MessageEntry });
  for (const [seq, [type, data]] of log.entries())
    await sql`insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data, surface_op, turn)
      values (${key.session}, ${seq}, ${key.tenant}, ${type}, ${seq}, ${`e${seq}`}, '', ${JSON.stringify(data)},
        ${type === 'user/message' ? 'append' : null}, 1)`.execute(database);
});

test('what was said in characters that Postgres cannot hold keeps nobody from reading the log', async () => {
  expect(await lastTurnEnd(database, { ...key, from: 0 })).toEqual(reason);
  expect(await readTitleMaterial(database, { ...key, upTo: 3 })).toEqual({ said: [{ seq: 1, text: ODD }] });
  expect(await readProjections(database, key)).toMatchObject({ goal: null });
  expect(await readSessionView(database, key)).toMatchObject({ queue: [{ preview: expect.stringContaining('😀') }] });
  expect([await openChildren(database, key), await childrenAtWork(database, key)]).toEqual([['child'], ['child']]);
});
