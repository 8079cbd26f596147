import type { EpochHeader, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** Which model a session's newest request went to, or is about to; `undefined` before its first. */
export async function lastRoute(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<{ provider: string; model: string } | undefined> {
  const row = await database
    .selectFrom('session_events')
    .select('data')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('type', '=', 'request/header')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { provider, model } = (JSON.parse(row.data) as { header: EpochHeader }).header.config;
  return { provider, model };
}
