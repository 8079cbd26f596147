import { sql, type Generated } from 'kysely';
import type { JsonObject, JsonValue, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** Pages that answer questions about themselves. */
export interface InspectClientTable {
  session_id: string;
  client: string;
  tenant: string;
  providers: string;
  offered_at: ClockColumn;
  until: Date;
}

/** What pages are asked. */
export interface InspectQueryTable {
  id: string;
  session_id: string;
  tenant: string;
  provider: string;
  method: string;
  input: string;
  asked_at: ClockColumn;
  until: Date;
}

/** What they answered, one a client. */
export interface InspectAnswerTable {
  query: string;
  client: string;
  n: Generated<number>;
  answer: string;
}

/** Who can be asked in a page, and what. */
export interface ClientProvider {
  id: string;
  description: string;
  methods: { name: string; description: string; input: JsonObject; output: JsonObject }[];
}

/** A page that offers providers. */
export interface InspectClient {
  client: string;
  providers: ClientProvider[];
}

/** One question. */
export interface InspectQuery {
  id: string;
  provider: string;
  method: string;
  input: JsonValue;
}

/** What a client said: data, or why it has none. */
export type InspectAnswer = { client: string } & ({ data: JsonValue } | { error: string });

interface SessionPlace {
  tenant: TenantId;
  session: SessionId;
}

/** A client counts as connected for so long after it was heard of. */
export const INSPECT_CLIENT_MS = 60_000;
/** A question is open for so long after whoever asks was heard of. */
export const INSPECT_QUERY_MS = 10_000;

const fromNow = (ms: number) => sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`;
const now = sql<Date>`clock_timestamp()`;

/** Says what a client offers, in place of what it offered before. */
export async function offerInspection(
  database: Database,
  { tenant, session, client, providers }: SessionPlace & InspectClient,
): Promise<void> {
  const row = { providers: JSON.stringify(providers), until: fromNow(INSPECT_CLIENT_MS) };
  await database
    .insertInto('inspect_clients')
    .values({ session_id: session, client, tenant, ...row })
    .onConflict((conflict) => conflict.columns(['session_id', 'client']).doUpdateSet(row))
    .execute();
  await database
    .deleteFrom('inspect_clients')
    .where('until', '<', sql<Date>`clock_timestamp() - interval '1 hour'`)
    .execute();
}

/** Notes that a client is there; `undefined` when it is not, or no longer. */
export async function touchInspectClient(
  database: Database,
  { tenant, session, client }: SessionPlace & { client: string },
): Promise<InspectClient | undefined> {
  const row = await database
    .updateTable('inspect_clients')
    .set({ until: fromNow(INSPECT_CLIENT_MS) })
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('client', '=', client)
    .where('until', '>', now)
    .returning('providers')
    .executeTakeFirst();
  return row && { client, providers: JSON.parse(row.providers) as ClientProvider[] };
}

/** Forgets a client. */
export async function withdrawInspection(
  database: Database,
  { tenant, session, client }: SessionPlace & { client: string },
): Promise<void> {
  await database
    .deleteFrom('inspect_clients')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('client', '=', client)
    .execute();
}

/** The clients of a session that are connected, the first to come first. */
export async function inspectClients(database: Database, { tenant, session }: SessionPlace): Promise<InspectClient[]> {
  const rows = await database
    .selectFrom('inspect_clients')
    .select(['client', 'providers'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('until', '>', now)
    .orderBy('offered_at')
    .orderBy('client')
    .execute();
  return rows.map(({ client, providers }) => ({ client, providers: JSON.parse(providers) as ClientProvider[] }));
}

/** Asks; the question stays open while {@link inspectAnswers} is asked for it. */
export async function askClients(database: Database, { tenant, session, ...query }: SessionPlace & InspectQuery) {
  const { id, provider, method, input } = query;
  const row = { tenant, session_id: session, provider, method, input: JSON.stringify(input) };
  await database
    .insertInto('inspect_queries')
    .values({ id, ...row, until: fromNow(INSPECT_QUERY_MS) })
    .execute();
}

/** What was answered so far, in order, and keeps the question open. */
export async function inspectAnswers(database: Database, id: string): Promise<InspectAnswer[]> {
  await database
    .updateTable('inspect_queries')
    .set({ until: fromNow(INSPECT_QUERY_MS) })
    .where('id', '=', id)
    .execute();
  const rows = await database
    .selectFrom('inspect_answers')
    .select(['client', 'answer'])
    .where('query', '=', id)
    .orderBy('n')
    .execute();
  return rows.map(({ client, answer }) => ({ client, ...(JSON.parse(answer) as { data: JsonValue }) }));
}

/** Ends a question, and those whose askers died. */
export async function endInspectQuery(database: Database, id: string): Promise<void> {
  await database
    .deleteFrom('inspect_queries')
    .where((query) => query.or([query('id', '=', id), query('until', '<', now)]))
    .execute();
}

/** The open questions a client can answer and has not. */
export async function openInspectQueries(
  database: Database,
  { tenant, session, client, providers }: SessionPlace & InspectClient,
): Promise<InspectQuery[]> {
  const rows = await database
    .selectFrom('inspect_queries')
    .select(['id', 'provider', 'method', 'input'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('until', '>', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('inspect_answers')
            .select('query')
            .whereRef('inspect_answers.query', '=', 'inspect_queries.id')
            .where('inspect_answers.client', '=', client),
        ),
      ),
    )
    .orderBy('asked_at')
    .execute();
  return rows
    .filter(({ provider, method }) => offers(providers, provider, method))
    .map((row) => ({ ...row, input: JSON.parse(row.input) as JsonValue }));
}

/** Keeps a client's answer; `false` where there is no such open question, or it has answered it. */
export async function answerInspectQuery(
  database: Database,
  { tenant, session, client, id, answer }: SessionPlace & { client: string; id: string; answer: object },
): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `insert into inspect_answers (query, client, answer)
     select id, $4, $5 from inspect_queries
     where id = $1 and tenant = $2 and session_id = $3 and until > clock_timestamp()
     on conflict do nothing`,
    [id, tenant, session, client, JSON.stringify(answer)],
  );
  return rowCount === 1;
}

/** Whether a question is for somebody who offers these. */
export const offers = (providers: readonly ClientProvider[], provider: string, method: string): boolean =>
  providers.some(({ id, methods }) => id === provider && methods.some(({ name }) => name === method));
