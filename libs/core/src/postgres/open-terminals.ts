import { sql } from 'kysely';
import type { HostId, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';
import { HOST_GONE_MS } from './hosts.ts';

/** Terminals and kept shells that are open, or about to be. */
export interface OpenTerminalTable {
  tenant: string;
  session_id: string;
  host_id: string;
  epoch: number;
  name: string;
  opened_at: ClockColumn;
}

interface Holder {
  tenant: TenantId;
  session: SessionId;
  host: { id: HostId; epoch: number };
}

/** Notes a terminal before it is opened; durable when it resolves. */
export async function noteTerminal(database: Database, { tenant, session, host, name }: Holder & { name: string }) {
  await database
    .insertInto('open_terminals')
    .values({ tenant, session_id: session, host_id: host.id, epoch: host.epoch, name })
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'session_id', 'host_id', 'name']).doUpdateSet({ epoch: host.epoch }),
    )
    .execute();
}

/** Forgets one that is closed; without a name all that a session had on the host. */
export async function forgetTerminals(database: Database, { tenant, session, host, name }: Holder & { name?: string }) {
  let rows = database
    .deleteFrom('open_terminals')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('host_id', '=', host.id);
  if (name !== undefined) rows = rows.where('name', '=', name);
  await rows.execute();
}

/** The names of a session's open terminals; what a host had in an earlier life, or one that is gone, is gone too. */
export async function listOpenTerminals(
  database: Database,
  { tenant, session }: Pick<Holder, 'tenant' | 'session'>,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select open.name from open_terminals open
    join hosts on hosts.host_id = open.host_id and hosts.epoch = open.epoch
    where open.tenant = ${tenant} and open.session_id = ${session}
      and hosts.last_seen > clock_timestamp() - ${HOST_GONE_MS} * interval '1 millisecond'
    order by open.opened_at, open.name
  `.execute(database);
  return rows.map(({ name }) => name);
}
