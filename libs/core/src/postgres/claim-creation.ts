import type { RequestId } from '../domain/index.ts';
import type { Database } from './database.ts';
import { claimIdempotencyKey, CREATION_KEY, readIdempotencyKey } from './idempotency.ts';
import { startSessionRow, type StartSessionInput } from './sessions.ts';

export interface ClaimCreationInput extends StartSessionInput {
  /** The canonical text of what the session is created with. */
  body: string;
  /** Used when the id is new. */
  requestId: RequestId;
}
/** `taken`: the id is another tenant's, was created with something else, or came about otherwise. */
export type ClaimCreationResult = { kind: 'new' | 'repeated'; requestId: RequestId } | { kind: 'taken' };

/**
 * Claims a session's id and notes what for, both or neither: whoever repeats a create finds what it was, and whoever is
 * refused leaves nothing that would make their next attempt look like a repetition.
 */
export async function claimCreation(database: Database, input: ClaimCreationInput): Promise<ClaimCreationResult> {
  const { tenant, session, body, requestId } = input;
  const key = { tenant, session, key: CREATION_KEY, body, requestId };
  const row = await database.transaction().execute(async (transaction) => {
    const within = transaction as unknown as Database;
    const result = await startSessionRow(within, input);
    if (result.kind === 'started') await claimIdempotencyKey(within, key);
    return result.kind;
  });
  if (row === 'started') return { kind: 'new', requestId };
  const known = row === 'exists' ? await readIdempotencyKey(database, key) : undefined;
  return known?.kind === 'repeated' ? known : { kind: 'taken' };
}
