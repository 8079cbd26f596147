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
 * Numbers and stores events, changes the rows beside the log and then tells readers, in one round trip. A name already
 * in the log is answered with its number. Throws a `ProjectionError`: every `LOG_…` code, or the database's absence.
 */
export async function commit(projection: Projection, input: CommitInput): Promise<Committed> {
  const encoded = JSON.stringify(encodeCommit(input, input.commit));
  const answer = await asProjectionError(async () => {
    const statement = sql<{ answer: CommitAnswer }>`call commit_events_and_tell(${encoded}, null)`;
    return ((await statement.execute(projection.database)).rows[0] as { answer: CommitAnswer }).answer;
  });
  return { acks: toAcks(answer.acks) };
}

/** Acknowledgements as callers see them. */
export function toAcks(acks: readonly StoredAck[]): Ack[] {
  return acks.map(([eid, seq, time]) => ({ eid: eid as EventId, seq, time }));
}
