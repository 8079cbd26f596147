import type { SessionId, TenantId, TurnEndReason } from '@everturn/core/domain';
import { lastTurnEnd, lastWords, readSession, type Database } from '@everturn/core/postgres';

/** The end of a child's last turn and its last words, both of its own part of the log. */
export async function readEnd(
  database: Database,
  { tenant, child }: { tenant: TenantId; child: SessionId },
): Promise<{ reason: TurnEndReason | undefined; words: string }> {
  const row = await readSession(database, { tenant, session: child });
  const from = row?.header.seedLength ?? 0;
  const key = { tenant, session: child, from };
  const [reason, words] = await Promise.all([lastTurnEnd(database, key), lastWords(database, key)]);
  return { reason, words };
}
