import type { JsonValue, SessionId, TenantId, TurnEndReason } from '@everturn/core/domain';
import { lastOutput, lastTurnEnd, lastWords, readSession, type Database } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';

/** How a child ended. */
export interface ChildEnding {
  reason: TurnEndReason | undefined;
  words: string;
  /** Of a child that was to give data: what it gave. */
  output: 'unasked' | 'missing' | { value: JsonValue };
}

/** The end of a child's last turn, its last words and the data it gave, all of its own part of the log. */
export async function readEnd(
  database: Database,
  { tenant, child }: { tenant: TenantId; child: SessionId },
): Promise<ChildEnding> {
  const row = await readSession(database, { tenant, session: child });
  const from = row?.header.seedLength ?? 0;
  const asked = (row?.options as SessionOptions | undefined)?.delegation?.outputSchema !== undefined;
  const key = { tenant, session: child, from };
  const [reason, words, output] = await Promise.all([
    lastTurnEnd(database, key),
    lastWords(database, key),
    asked ? lastOutput(database, key) : undefined,
  ]);
  return { reason, words, output: asked ? (output ?? 'missing') : 'unasked' };
}
