import { openDatabase, searchEvents, type Database } from '@everturn/core/postgres';
import type { TenantId } from '@everturn/core/domain';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Benchmark } from '../benchmark.ts';
import { monotonicMs } from '../measure/clock.ts';
import { delayFigures } from './first-byte.ts';

const tenant = 'searched' as TenantId;
const AT_ONCE = 50_000;

/** How long a search takes where there is much to find. */
export const search: Benchmark = {
  name: 'search',
  title: 'Two words that follow one another, among many events of a tenant',
  async run({ size, servers, tell }) {
    const [events, searches] = size === 'quick' ? [AT_ONCE, 50] : [1_000_000, 200];
    await load(servers.databaseUrl, events, tell);
    const database = openDatabase(servers.databaseUrl);
    try {
      tell(`${searches} searches`);
      const taken: number[] = [];
      for (let n = 0; n < searches; n += 1) {
        const query = await twoWords(database, { seq: (n * 7_919) % events, at: n % 20 });
        const began = monotonicMs();
        const { hits } = await searchEvents(database, { tenant, query, limit: 20 });
        taken.push(monotonicMs() - began);
        if (hits.length === 0) throw new Error(`"${query}" was not found, though an event holds it`);
      }
      return delayFigures(`two words among ${events.toLocaleString('en')} events`, taken, { p50: 100, p95: 100 });
    } finally {
      await database.destroy();
    }
  },
};

/** Words as people use them: few often, most seldom. One index built at the end costs less than a million entries. */
async function load(url: string, events: number, tell: (text: string) => void): Promise<void> {
  // A client of its own, since no statement of the product may take as long as these.
  const loader = new Client({ connectionString: url });
  await loader.connect();
  try {
    await loader.query('drop index search_documents_by_terms');
    await loader.query("set maintenance_work_mem = '512MB'");
    for (let from = 0; from < events; from += AT_ONCE) {
      tell(`${from} of ${events} events`);
      await loader.query(`
        insert into search_documents (session_id, seq, tenant, type, time, surface_op, body, terms)
        select 's' || n % 1000, n, '${tenant}', 'user/message', n, 'append', body,
          search_terms(body, array['@t:${tenant}', '@s:s' || n % 1000])
        from (
          select n, ' ' || string_agg('w' || floor(power(random(), 4) * 20000)::int, '  ' order by w) || ' ' as body
          from generate_series(${from}::int, ${from + AT_ONCE - 1}::int) as n, generate_series(1, 30) as w
          group by n
        ) as made`);
    }
    tell('building the index');
    await loader.query('create index search_documents_by_terms on search_documents using gin (terms)');
    await loader.query('vacuum analyze search_documents');
  } finally {
    await loader.end();
  }
}

/** Two neighbouring words of one event. */
async function twoWords(database: Database, { seq, at }: { seq: number; at: number }): Promise<string> {
  const { rows } = await sql<{ body: string }>`
    select body from search_documents where session_id = ${`s${seq % 1000}`} and seq = ${seq} and tenant = ${tenant}`.execute(
    database,
  );
  return (rows[0]?.body ?? '')
    .trim()
    .split('  ')
    .slice(at, at + 2)
    .join(' ');
}
