import { sql } from 'kysely';
import type { Ack, EventId } from '@everturn/core/domain';
import type { Commit, Committed, SessionRef } from '../contract/index.ts';
import { encodeCommit } from './encode-commit.ts';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

/** An acknowledgement as SQL answers it. */
export type StoredAck = [eid: string, seq: number, time: number];

/** What the SQL function that commits answers. */
export interface CommitAnswer {
  acks: StoredAck[];
  added: number;
}

export type CommitInput = SessionRef & { commit: Commit };

/**
 * Numbers and stores events and changes the rows beside the log, in one transaction and one round trip. A name already
 * in the log is answered with its number. Throws a `ProjectionError`: every `LOG_…` code, or the database's absence.
 */
export async function commit(projection: Projection, input: CommitInput): Promise<Committed> {
  const encoded = JSON.stringify(encodeCommit(input, input.commit));
  const answer = await asProjectionError(async () => {
    const { rows } = await sql<{ answer: CommitAnswer }>`select commit_events(${encoded}) as answer`.execute(
      projection.database,
    );
    return (rows[0] as { answer: CommitAnswer }).answer;
  });
  announce(projection, input, answer);
  return { acks: toAcks(answer.acks) };
}

/** Tells readers, unless nothing changed. */
export function announce(
  projection: Projection,
  { tenant, session, commit: { rows } }: CommitInput,
  { added }: CommitAnswer,
): void {
  if (added > 0 || rows) projection.notifier.notify([{ tenant, session }]);
}

/** Acknowledgements as callers see them. */
export function toAcks(acks: readonly StoredAck[]): Ack[] {
  return acks.map(([eid, seq, time]) => ({ eid: eid as EventId, seq, time }));
}
