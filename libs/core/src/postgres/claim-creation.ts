import { canonicalJson, type RequestId } from '../domain/index.ts';
import type { Database } from './database.ts';
import { claimIdempotencyKey, CREATION_KEY, readIdempotencyKey } from './idempotency.ts';
import { startSessionRow, type SessionRow, type StartSessionInput } from './sessions.ts';

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
  const result = await database.transaction().execute(async (transaction) => {
    const started = await startSessionRow(transaction, input);
    if (started.kind === 'started') await claimIdempotencyKey(transaction, key);
    return started;
  });
  if (result.kind === 'started') return { kind: 'new', requestId };
  if (result.kind === 'foreign') return { kind: 'taken' };
  const known =
    (await readIdempotencyKey(database, key)) ??
    ((await isHalfDone(database, { input, found: result.session })) && (await claimIdempotencyKey(database, key)));
  return known && known.kind !== 'conflict' ? known : { kind: 'taken' };
}

/**
 * Whether a session is what this create would have made, and nothing has come of it: versions that wrote the row before
 * they noted what for could die between. Forks and imports say in their headers what they came from.
 */
async function isHalfDone(
  database: Database,
  { input, found }: { input: ClaimCreationInput; found: SessionRow },
): Promise<boolean> {
  const facts = (header: object) => canonicalJson({ ...header, createdAt: 0 });
  const same =
    found.status === 'starting' &&
    found.generation === 0 &&
    facts(found.header) === facts(input.header) &&
    canonicalJson(found.options) === canonicalJson(input.options);
  if (!same) return false;
  const prompt = await database
    .selectFrom('prompts')
    .select('prompt_id')
    .where('tenant', '=', input.tenant)
    .where('session_id', '=', input.session)
    .limit(1)
    .executeTakeFirst();
  return prompt === undefined;
}
