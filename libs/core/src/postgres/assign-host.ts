import { posix } from 'node:path';
import { sql } from 'kysely';
import type { HostId, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';
import { HOST_GONE_MS, HOST_STALE_MS, listLiveHosts, readHost } from './hosts.ts';
import type { Host } from './hosts.ts';

export interface FindHostInput {
  tenant: TenantId;
  session: SessionId;
  /** The session's workspace; without it any live host will do. */
  cwd?: string;
}
export type FindHostResult =
  | { kind: 'assigned'; host: HostId; epoch: number }
  /** `reason` is for people. */
  | { kind: 'none'; reason: string };

/** The live host a session is bound to, binding it first if need be. */
export async function findHost(database: Database, input: FindHostInput): Promise<FindHostResult> {
  const bound = await boundHost(database, input);
  if (bound !== null) {
    const host = await readHost(database, bound);
    if (host && host.seenMsAgo < HOST_GONE_MS) return { kind: 'assigned', host: host.id, epoch: host.epoch };
    return { kind: 'none', reason: gone(bound, host) };
  }
  const candidates = (await listLiveHosts(database)).filter((host) => serves(host, input.cwd));
  // Of several, the one beaten last; one that missed beats may be about to go.
  const [best] = candidates.toSorted((a, b) => a.seenMsAgo - b.seenMsAgo);
  if (!best || best.seenMsAgo >= HOST_STALE_MS)
    return { kind: 'none', reason: `no live host has the workspace ${input.cwd ?? '(none)'}` };
  return bind(database, input, best, bound);
}

/** The host a session is bound to, if its worker lives; binds nothing. */
export async function liveHostOf(
  database: Database,
  input: Pick<FindHostInput, 'tenant' | 'session'>,
): Promise<HostId | undefined> {
  const bound = await boundHost(database, input);
  const host = bound === null ? undefined : await readHost(database, bound);
  return host && host.seenMsAgo < HOST_STALE_MS ? host.id : undefined;
}

/** Frees a session from a host that is gone, so that its next machine tool binds it anew; tells whether it did. */
export async function releaseGoneHost(
  database: Database,
  { tenant, session }: Pick<FindHostInput, 'tenant' | 'session'>,
): Promise<boolean> {
  const result = await database
    .updateTable('sessions')
    .set({ host_id: null, host_epoch: null })
    .where('tenant', '=', tenant)
    .where('id', '=', session)
    .where('host_id', 'is not', null)
    .where(
      sql<boolean>`not exists (
        select from hosts where hosts.host_id = sessions.host_id
          and last_seen > clock_timestamp() - ${HOST_GONE_MS} * interval '1 millisecond')`,
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

async function boundHost(
  database: Database,
  { tenant, session }: Pick<FindHostInput, 'tenant' | 'session'>,
): Promise<HostId | null> {
  const row = await database
    .selectFrom('sessions')
    .select('host_id')
    .where('tenant', '=', tenant)
    .where('id', '=', session)
    .executeTakeFirst();
  return (row?.host_id ?? null) as HostId | null;
}

async function bind(
  database: Database,
  input: FindHostInput,
  host: Host,
  bound: HostId | null,
): Promise<FindHostResult> {
  const result = await database
    .updateTable('sessions')
    .set({ host_id: host.id, host_epoch: host.epoch })
    .where('tenant', '=', input.tenant)
    .where('id', '=', input.session)
    .where(sql<boolean>`host_id is not distinct from ${bound}`)
    .executeTakeFirst();
  if (result.numUpdatedRows > 0n) return { kind: 'assigned', host: host.id, epoch: host.epoch };
  // Two tools of one batch asked at once; the other bound it, or there is no such session.
  if ((await boundHost(database, input)) !== bound) return findHost(database, input);
  return { kind: 'none', reason: `there is no session ${input.session}` };
}

function serves({ roots }: Host, cwd: string | undefined): boolean {
  if (cwd === undefined) return true;
  const folder = posix.normalize(cwd).replace(/\/+$/, '');
  return roots.some((root) => folder === trim(root) || folder.startsWith(`${trim(root)}/`));
}

function trim(root: string): string {
  return posix.normalize(root).replace(/\/+$/, '');
}

function gone(host: HostId, seen: Host | undefined): string {
  const since = seen && Number.isFinite(seen.seenMsAgo) ? ` for ${Math.round(seen.seenMsAgo / 1000)} s` : '';
  return `host ${host} has not been seen${since}; start its worker, or resume the session to bind it to another host`;
}
