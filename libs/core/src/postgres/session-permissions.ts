import { foldPermissions, PERMISSION_FACTS, type PermissionFact, type Permissions } from '../domain/index.ts';
import type { SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** What a session's log says of its permissions; what it never said is absent. */
export async function readPermissions(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<Partial<Permissions>> {
  const rows = await database
    .selectFrom('session_events')
    .distinctOn('type')
    .select(['type', 'data'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('type', 'in', [...PERMISSION_FACTS])
    .orderBy('type')
    .orderBy('seq', 'desc')
    .execute();
  // Validated when they were written.
  return foldPermissions(rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }) as PermissionFact));
}
