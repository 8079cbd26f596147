import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SessionQueryError, type SessionId, type TenantId } from '../domain/index.ts';
import { openTestDatabase } from '../testing/index.ts';
import { searchEvents } from './search-events.ts';
import { searchSessions } from './search-sessions.ts';

const EVENTS = 10_000;
const WORDS = ['a', 'ab', 'b', 'Error', 'ÉTÉ', 'straße', 'ж', '漢', '字', 'x1', '7', "o'neil's", 'naïve'];
const GAPS = [' ', '  ', '\n', ', ', ' — ', '\t(', '}{', '\0', '“', '/'];
const acme = 'acme' as TenantId;

const { database, drop } = await openTestDatabase();

/** An event as it was made: its words, before they were written down in some way. */
interface Made {
  session: string;
  seq: number;
  tenant: string;
  type: string;
  words: string[];
  hidden: boolean;
}
const made: Made[] = [];

/** The same numbers at each run. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

/** What the index takes for words: an apostrophe parts, and a character of a script without spaces stands alone. */
const partsOf = (word: string): string[] => word.toLowerCase().split("'").filter(Boolean);

function dataOf(type: string, text: string): object {
  switch (type) {
    case 'tool/call':
      return { turn: 1, step: 1, callId: 'c', name: '', arguments: text };
    case 'todo/write':
      return { todos: [{ content: text, status: '' }] };
    case 'turn/end':
      return { turn: 1, reason: { kind: 'error', step: 1, message: text } };
    default:
      return {
        content: [
          { type: 'reasoning', text: 'Error b' },
          { type: 'text', text },
        ],
        source: { kind: 'user' },
      };
  }
}

beforeAll(async () => {
  const random = randomly(7);
  const rows: object[] = [];
  const types = [
    'user/message',
    'assistant/message',
    'tool/result',
    'tool/call',
    'todo/write',
    'turn/end',
    'step/start',
  ];
  for (let n = 0; n < EVENTS; n += 1) {
    const type = types[random(types.length)] ?? '';
    const words = Array.from({ length: random(12) }, () => WORDS[random(WORDS.length)] ?? '');
    const text = words
      .map((word) => `${random(3) === 0 && word !== 'straße' ? word.toUpperCase() : word}${GAPS[random(GAPS.length)]}`)
      .join('');
    const said = type === 'turn/end' ? ['error', ...words.flatMap(partsOf)] : words.flatMap(partsOf);
    const session = `s${random(20)}`;
    const surface = type === 'user/message' || type === 'assistant/message' ? 'append' : null;
    const tenant = session === 's0' ? 'other' : 'acme';
    const event = { session, seq: n, tenant, type, words: type === 'step/start' ? [] : said, hidden: false };
    made.push(event);
    rows.push({
      session_id: session,
      seq: n,
      tenant,
      type,
      time: n,
      eid: `e${n}`,
      surface_op: surface,
      data: JSON.stringify(dataOf(type, text)),
    });
  }
  for (let at = 0; at < rows.length; at += 1_000)
    await sql`
      insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data, surface_op)
      select session_id, seq, tenant, type, time, eid, '', data, surface_op
      from json_to_recordset(${JSON.stringify(rows.slice(at, at + 1_000))})
        as r (session_id text, seq bigint, tenant text, type text, time bigint, eid text, data text, surface_op text)`.execute(
      database,
    );
  await sql`insert into sessions (id, tenant, header, options, status, title)
    select 's' || n, case n when 0 then 'other' else 'acme' end, '{"cwd":"/w' || n % 2 || '"}', '{}', 'idle', 'title ' || n
    from generate_series(0, 19) as n`.execute(database);
}, 120_000);
afterAll(drop);

const spansIn = (words: readonly string[], phrase: readonly string[]): number => {
  let spans = 0;
  for (let at = 0; at + phrase.length <= words.length;)
    if (phrase.every((word, n) => words[at + n] === word)) {
      spans += 1;
      at += phrase.length;
    } else at += 1;
  return spans;
};

test('what is found is what a scan of all events finds, in the order of rank, page by page', async () => {
  const phrase = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(phrase, fc.option(fc.nat(19)), async (words, session) => {
      const sought = words.flatMap(partsOf);
      const expected = made
        .filter(({ tenant, session: its }) => tenant === 'acme' && (session === null || its === `s${session}`))
        .map((event) => ({ ...event, spans: spansIn(event.words, sought) }))
        .filter(({ spans }) => spans > 0);
      const found: { session: string; seq: number; spans: number }[] = [];
      for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
        const page = await searchEvents(database, {
          tenant: acme,
          query: words.join(', '),
          limit: 100,
          ...(session !== null && { sessions: [`s${session}` as SessionId] }),
          ...(cursor !== undefined && { cursor }),
        });
        found.push(...page.hits);
        cursor = page.next;
      }
      const facts = ({ session: its, seq, spans }: { session: string; seq: number; spans: number }) => [
        its,
        seq,
        spans,
      ];
      // More places first, then shorter events, then newer ones; no two are of the same time.
      const sizeOf = (event: Made) => event.words.join('  ').length;
      const ranked = expected.toSorted((a, b) => b.spans - a.spans || sizeOf(a) - sizeOf(b) || b.seq - a.seq);
      expect(found.map(facts)).toEqual(ranked.map(facts));
    }),
    { numRuns: 25 },
  );
}, 120_000);

test('sessions are found by their best event, within one folder, and nobody finds another tenant’s', async () => {
  const hits = await searchSessions(database, {
    tenant: acme,
    query: 'ERROR error',
    cwd: '/w1',
    except: 's3' as SessionId,
  });
  expect(hits.length).toBeGreaterThan(3);
  expect(hits.every(({ session }) => Number(session.slice(1)) % 2 === 1 && session !== 's3')).toBe(true);
  expect(hits.map(({ best }) => best.spans)).toEqual(hits.map(({ best }) => best.spans).toSorted((a, b) => b - a));
  const [best] = (
    await searchEvents(database, { tenant: acme, query: 'error error', sessions: [hits[0]?.session as SessionId] })
  ).hits;
  expect(hits[0]?.best).toEqual(best);
  const foreign = await searchEvents(database, { tenant: acme, query: 'a', sessions: ['s0' as SessionId] });
  expect(foreign.hits).toEqual([]);
});

test('what was replaced is shadowed from then on; a filter tells them apart', async () => {
  const [first] = (await searchEvents(database, { tenant: acme, query: 'straße', surfaces: ['current'], limit: 1 }))
    .hits;
  const { session, seq } = first as { session: SessionId; seq: number };
  await sql`insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data, surface_op, replace_start, replace_end, source_ranges)
    values (${session}, ${EVENTS + 1}, 'acme', 'user/message', 1, 'r', '', '{"content":[{"type":"text","text":"zusammengefasst"}]}', 'replace', ${seq}, ${seq}, ${`[[${seq},${seq}]]`}::jsonb)`.execute(
    database,
  );
  const surfaces = async (...wanted: ('current' | 'shadowed')[]) =>
    (
      await searchEvents(database, { tenant: acme, query: 'straße', sessions: [session], surfaces: wanted, limit: 100 })
    ).hits.map((hit) => [hit.seq, hit.surface]);
  expect(await surfaces('shadowed')).toEqual([[seq, 'shadowed']]);
  expect((await surfaces('current')).map(([at]) => at)).not.toContain(seq);
  const [summary] = (await searchEvents(database, { tenant: acme, query: 'Zusammengefasst' })).hits;
  expect(summary).toMatchObject({ surface: 'current', snippet: 'zusammengefasst', spans: 1 });
});

test('a piece of a sentence without spaces is found, and whatever a query holds means itself', async () => {
  const said = [
    '昨天我们核对了退款流程的问题',
    '已修复svc-bar7后重试',
    "it's 100% a-b foo:bar of snake_case",
    '1000 its foobar axb',
    'ฉันตรวจสอบการคืนเงินแล้ว',
    'ຂ້ອຍກວດການຄືນເງິນແລ້ວ ខ្ញុំពិនិត្យការសងប្រាក់ ငွေပြန်အမ်းမှုစစ်ဆေးပြီး',
  ];
  for (const [n, words] of said.entries())
    await sql`insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data, surface_op)
      values ('j5', ${n}, 'j5', 'user/message', ${n}, ${`j${n}`}, '', ${JSON.stringify({ content: [{ type: 'text', text: words }] })}, 'append')`.execute(
      database,
    );
  const found = async (query: string) =>
    await searchEvents(database, { tenant: 'j5' as TenantId, query, limit: 100 }).then(
      ({ hits }) => hits.map(({ seq }) => seq),
      (error: unknown) => (error instanceof SessionQueryError ? error.code : String(error)),
    );
  expect([await found('退款流程'), await found('bar7')]).toEqual([[0], [1]]);
  expect([await found('การคืนเงิน'), await found('ເງິນ')]).toEqual([[4], [5]]);
  expect([await found('ការសង'), await found('ပြန်အမ်း')]).toEqual([[5], [5]]);
  for (const query of ["it's", 'a-b', 'foo:bar', '100%', 'snake_case', '"100"', 'a & b', "'; drop table sessions; --"])
    expect([query, await found(query)]).toEqual([query, query.includes('drop') ? [] : [2]]);
  for (const query of ['"', '%', '_', '& | !', '', ' '])
    expect([query, await found(query)]).toEqual([query, 'SESSION_QUERY_INVALID_QUERY']);
});

test('what Postgres cannot hold in an event hides nothing else it says', async () => {
  const tenant = 'odd' as TenantId;
  const said = [
    'two NULs\0\0needle',
    '\0\0\0needle\0',
    'half \ud83d needle',
    '\ude00\ude00needle\ud83d\ud83d\ude00',
    String.raw`spelt out: \ud83d \u0000 needle`,
    `${String.raw`\\`}\ud83d needle`,
  ];
  for (const [n, words] of said.entries())
    await sql`insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data, surface_op)
      values ('o', ${n}, ${tenant}, 'user/message', ${n}, ${`o${n}`}, '', ${JSON.stringify({ content: [{ type: 'text', text: words }] })}, 'append')`.execute(
      database,
    );
  const { hits } = await searchEvents(database, { tenant, query: 'needle' });
  expect(hits.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(hits.filter(({ snippet }) => !snippet.isWellFormed())).toEqual([]);

  // What was written before is found, too, once the database is brought up to date.
  await sql`delete from search_documents where tenant = ${tenant}`.execute(database);
  await sql`update search_documents set body = ' ฉันตรวจสอบการคืนเงินแล้ว ' where session_id = 'j5' and seq = 4`.execute(
    database,
  );
  await sql
    .raw(readFileSync(new URL('./migrations/0250_search_all_text.sql', import.meta.url), 'utf8'))
    .execute(database);
  expect((await searchEvents(database, { tenant, query: 'needle' })).hits).toHaveLength(said.length);
  expect((await searchEvents(database, { tenant: 'j5' as TenantId, query: 'การคืนเงิน' })).hits).toHaveLength(1);
});

test('a phrase of frequent words is looked for in what holds it, however many words an event has', async () => {
  const tenant = 'wordy' as TenantId;
  const many = Array.from({ length: 3_000 }, (_, n) => `w${n}`).join(' ');
  const said = ['one two', 'two one', `${many} one two`, `${many} two one`];
  for (const [n, words] of said.entries())
    await sql`insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data, surface_op)
      values ('w', ${n}, ${tenant}, 'user/message', ${n}, ${`w${n}`}, '', ${JSON.stringify({ content: [{ type: 'text', text: words }] })}, 'append')`.execute(
      database,
    );
  const { hits } = await searchEvents(database, { tenant, query: 'one, two' });
  expect(hits.map(({ seq }) => seq)).toEqual([0, 2]);
  const { rows } = await sql<{ seq: number }>`
    select seq from search_documents
    where terms @@ search_query(search_body('one two'), array['@t:wordy']) order by seq`.execute(database);
  expect(rows.map(({ seq }) => seq)).toEqual([0, 2, 3]);
});

test('what cannot be asked is refused by its code', async () => {
  const code = (input: object) =>
    searchEvents(database, { tenant: acme, query: 'a', ...input }).then(
      () => 'answered',
      (error: unknown) => (error instanceof SessionQueryError ? error.code : error),
    );
  expect(await code({ query: ' —!“ ' })).toBe('SESSION_QUERY_INVALID_QUERY');
  expect(await code({ limit: 101 })).toBe('SESSION_QUERY_INVALID_LIMIT');
  expect(await code({ cursor: 'nonsense' })).toBe('SESSION_QUERY_INVALID_CURSOR');
  const { next } = await searchEvents(database, { tenant: acme, query: 'a', limit: 2 });
  expect(await code({ query: 'b', cursor: next })).toBe('SESSION_QUERY_INVALID_CURSOR');
  expect(await code({ cursor: next })).toBe('answered');
  const given = JSON.parse(Buffer.from(next ?? '', 'base64url').toString()) as { place: object };
  const forged = (place: object) =>
    Buffer.from(JSON.stringify({ ...given, place: { ...given.place, ...place } })).toString('base64url');
  expect(await code({ cursor: forged({ session: 'a\0' }) })).toBe('SESSION_QUERY_INVALID_CURSOR');
  expect(await code({ cursor: forged({ size: 9e15 }) })).toBe('SESSION_QUERY_INVALID_CURSOR');
  expect(await code({ cursor: forged({ spans: 3e9 }) })).toBe('SESSION_QUERY_INVALID_CURSOR');
  // Of an event of another tenant a cursor does not even say whether it is there.
  const theirs = made.find(({ tenant, words }) => tenant !== acme && words.length > 0);
  expect(await code({ cursor: forged({ session: theirs?.session, seq: theirs?.seq }) })).toBe(
    'SESSION_QUERY_STALE_CURSOR',
  );
  await sql`delete from session_events where tenant = 'acme' and type = 'user/message'`.execute(database);
  await sql`delete from session_events where tenant = 'acme'`.execute(database);
  expect(await code({ limit: 2, cursor: next })).toBe('SESSION_QUERY_STALE_CURSOR');
  expect((await searchEvents(database, { tenant: acme, query: 'a' })).hits).toEqual([]);
});
