import { sql } from 'kysely';
import type { HostId, JsonObject } from '../domain/index.ts';
import type { ClockColumn, DerivedColumn } from './columns.ts';
import { storableJson } from './columns.ts';
import type { Database } from './database.ts';

/** Machines that run tools: a lease, beaten every 2 s. */
export interface HostTable {
  host_id: string;
  epoch: number;
  last_seen: Date;
  holder: string;
  roots: DerivedColumn<string[]>;
  details: DerivedColumn<JsonObject>;
  taken_at: ClockColumn;
}

/** How often a holder beats. */
export const HOST_BEAT_MS = 2_000;
/** Not seen for this long, a host's lease may be taken by another process. */
export const HOST_STALE_MS = 10_000;
/** Not seen for this long, a host is gone. */
export const HOST_GONE_MS = 30_000;

export interface Host {
  id: HostId;
  epoch: number;
  /** How long ago it was last seen, by the database's clock. */
  seenMsAgo: number;
  holder: string;
  roots: string[];
  details: JsonObject;
}

export interface TakeHostInput {
  host: HostId;
  /** Identifies this process: its machine, pid and start time. */
  holder: string;
  /** Absolute folders whose contents this host serves. */
  roots: readonly string[];
  details?: object;
  /** A holder known to be dead, whose lease need not be waited for. */
  deadHolder?: string;
}
/** `held`: another process has the lease; ask again until it is `HOST_STALE_MS` old, or give up if it is beaten. */
export type TakeHostResult = { kind: 'taken'; epoch: number } | { kind: 'held'; holder: string; seenMsAgo: number };

/** Takes a host's lease with the next epoch, unless a process that may be alive holds it. */
export async function takeHost(database: Database, input: TakeHostInput): Promise<TakeHostResult> {
  const { host, holder, roots, details = {}, deadHolder = '' } = input;
  const { rows } = await sql<{ epoch: number }>`
    insert into hosts (host_id, epoch, last_seen, holder, roots, details)
    values (${host}, 1, clock_timestamp(), ${holder}, ${storableJson(roots)}, ${storableJson(details)})
    on conflict (host_id) do update set
      epoch = hosts.epoch + 1, last_seen = clock_timestamp(), taken_at = clock_timestamp(),
      holder = excluded.holder, roots = excluded.roots, details = excluded.details
    where hosts.holder in (${holder}, ${deadHolder})
      or hosts.last_seen <= clock_timestamp() - ${HOST_STALE_MS} * interval '1 millisecond'
    returning epoch
  `.execute(database);
  if (rows[0]) return { kind: 'taken', epoch: rows[0].epoch };
  const current = await readHost(database, host);
  if (!current) return takeHost(database, input);
  return { kind: 'held', holder: current.holder, seenMsAgo: current.seenMsAgo };
}

/** Keeps a lease; `false` when it has been taken by another process and this one must stop. */
export async function beatHost(database: Database, { host, epoch }: { host: HostId; epoch: number }): Promise<boolean> {
  const result = await database
    .updateTable('hosts')
    .set({ last_seen: sql<Date>`clock_timestamp()` })
    .where('host_id', '=', host)
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Gives a lease back at a clean stop, so that the next process need not wait. */
export async function releaseHost(database: Database, { host, epoch }: { host: HostId; epoch: number }): Promise<void> {
  await database
    .updateTable('hosts')
    .set({ last_seen: sql<Date>`'-infinity'` })
    .where('host_id', '=', host)
    .where('epoch', '=', epoch)
    .execute();
}

/** One host, or `undefined` when there never was one of that name. */
export async function readHost(database: Database, host: HostId): Promise<Host | undefined> {
  return (await selectHosts(database, host))[0];
}

/** Every host seen within the last 30 s. */
export async function listLiveHosts(database: Database): Promise<Host[]> {
  const hosts = await selectHosts(database);
  return hosts.filter((host) => host.seenMsAgo < HOST_GONE_MS);
}

async function selectHosts(database: Database, only?: HostId): Promise<Host[]> {
  const { rows } = await sql<Omit<Host, 'seenMsAgo'> & { seenMsAgo: number }>`
    select host_id as id, epoch, holder, roots, details,
      case when isfinite(last_seen) then extract(epoch from clock_timestamp() - last_seen)::float8 * 1000
           else 'infinity' end as "seenMsAgo"
    from hosts
    where ${only === undefined ? sql`true` : sql`host_id = ${only}`}
    order by host_id
  `.execute(database);
  return rows;
}
