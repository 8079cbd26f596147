import { sql } from 'kysely';
import { assertNever } from '@everturn/core/domain';
import type { Ack, SeqRange, SessionEvent } from '@everturn/core/domain';
import { toSessionEvent } from '@everturn/core/postgres';
import type { EventRow } from '@everturn/core/postgres';
import type { ClaimKey, Commit, SessionRef } from '../contract/index.ts';
import { toRanges, toRecord } from './claim-answer.ts';
import type { ClaimAnswer, EffectRecord } from './claim-answer.ts';
import { announce, toAcks } from './commit.ts';
import type { CommitAnswer } from './commit.ts';
import { encodeCommit } from './encode-commit.ts';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

/** A claim held by this process. Every write made in its name is refused once somebody else took it over. */
export interface HeldClaim extends SessionRef {
  claim: ClaimKey;
  epoch: number;
}

export interface BeginEffectInput extends SessionRef {
  claim: ClaimKey;
  commit: Commit;
  turn: number;
  step: number;
  /** What the effect is, for people: the tool's or model's name. */
  label: string;
  /** Also read the log's rows from this number on, chunks left out. */
  readFrom?: number;
}

/** What a claim says to an attempt that wants to perform its effect. */
export type Begun = { acks: Ack[]; rows: SessionEvent[] } & (
  | { state: 'granted'; held: HeldClaim }
  /** The holder's lease ran out: the claim is ours now, and whether the effect happened is not known. */
  | { state: 'taken-over'; held: HeldClaim; chunks: SeqRange[] }
  /** `owner` performs it right now, or may still wake up: ask again within a second. */
  | { state: 'live'; owner: string }
  | ({ state: 'done' } & EffectRecord)
  /** Settled without an outcome: `void` = it never started and now must not, `unknown` = it may have happened. */
  | { state: 'closed'; settled: 'void' | 'unknown' }
);

interface BeginRow extends Partial<EventRow> {
  answer: { claim: ClaimAnswer; commit: CommitAnswer } | null;
}

/** Commits, then takes the claim or says who has it: one transaction, one round trip. Throws what the log refuses. */
export async function beginEffect(projection: Projection, input: BeginEffectInput): Promise<Begun> {
  const { tenant, session, generation, claim, turn, step, label, readFrom } = input;
  const encoded = JSON.stringify({
    tenant,
    session,
    key: claim,
    owner: projection.owner,
    turn,
    step,
    label: label.toWellFormed().replaceAll('\0', '\uFFFD'),
    ...(projection.host && { host: projection.host.id, hostEpoch: projection.host.epoch }),
    ...(readFrom !== undefined && { readFrom }),
    commit: encodeCommit(input, input.commit),
  });
  const [first, ...rows] = await asProjectionError(
    async () => (await sql<BeginRow>`select * from begin_effect(${encoded})`.execute(projection.database)).rows,
  );
  const answer = (first as BeginRow).answer as NonNullable<BeginRow['answer']>;
  announce(projection, input, answer.commit);
  const common = { acks: toAcks(answer.commit.acks), rows: rows.map((row) => toSessionEvent(row as EventRow)) };
  const held = { tenant, session, generation, claim, epoch: answer.claim.epoch };
  switch (answer.claim.kind) {
    case 'granted':
      return { ...common, state: 'granted', held };
    case 'taken-over':
      return { ...common, state: 'taken-over', held, chunks: toRanges(answer.claim.chunks) };
    case 'live':
      return { ...common, state: 'live', owner: answer.claim.owner ?? '' };
    case 'done':
      return { ...common, state: 'done', ...toRecord(answer.claim) };
    case 'void':
    case 'unknown':
      return { ...common, state: 'closed', settled: answer.claim.kind };
    default:
      return assertNever(answer.claim.kind, 'claim state');
  }
}
