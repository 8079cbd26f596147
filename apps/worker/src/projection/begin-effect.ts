import { sql } from 'kysely';
import { assertNever } from '@everturn/core/domain';
import type { Ack, SeqRange, SessionEvent } from '@everturn/core/domain';
import { readEventRows, toSessionEvent } from '@everturn/core/postgres';
import type { Database, EventPage, EventRow } from '@everturn/core/postgres';
import type { ClaimKey, Commit, SessionRef } from '../contract/index.ts';
import { toRanges, toRecord } from './claim-answer.ts';
import type { ClaimAnswer, EffectRecord } from './claim-answer.ts';
import { toAcks } from './commit.ts';
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
  /** Absent: the effect belongs to no log, so that neither a new generation nor a closed log ends it. */
  commit?: Commit;
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

interface BeginRow {
  answer: { claim: ClaimAnswer; commit: CommitAnswer };
  stored: EventRow[] | null;
}

/** What a commit answers that is not made. */
const NOTHING = '{"acks": [], "added": 0}';

/** Rows of the log that come with the answer; what a session has beyond them is read after it, page by page. */
const PAGE_ROWS = 1_000;

/**
 * Commits, takes the claim or says who has it, and tells readers: one round trip, but for a log that is not yet known.
 * Throws what the log refuses.
 */
export async function beginEffect(projection: Projection, input: BeginEffectInput): Promise<Begun> {
  const { tenant, session, generation, claim, turn, step, label, readFrom, commit } = input;
  const encoded = JSON.stringify({
    tenant,
    session,
    key: claim,
    owner: projection.owner,
    turn,
    step,
    label: label.toWellFormed().replaceAll('\0', '\uFFFD'),
    ...(projection.host && { host: projection.host.id, hostEpoch: projection.host.epoch }),
    ...(readFrom !== undefined && { readFrom, readLimit: PAGE_ROWS }),
    ...(commit && { commit: encodeCommit(input, commit) }),
  });
  const { answer, stored } = await asProjectionError(async () => {
    const statement = commit
      ? sql<BeginRow>`call begin_effect_and_tell(${encoded}, null, null)`
      : sql<BeginRow>`select jsonb_build_object('claim', take_claim(${encoded}), 'commit', ${NOTHING}::jsonb) as answer`;
    return (await statement.execute(projection.database)).rows[0] as BeginRow;
  });
  const rows = await asProjectionError(() => withTheRest(projection.database, input, stored ?? []));
  const common = { acks: toAcks(answer.commit.acks), rows: rows.map(toSessionEvent) };
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

/** Whatever else is in the log by now: a reader takes from it what is before its own step. */
async function withTheRest(database: Database, key: SessionRef, first: readonly EventRow[]): Promise<EventRow[]> {
  const rows = [...first];
  let next = first.length < PAGE_ROWS ? undefined : (first.at(-1) as EventRow).seq + 1;
  while (next !== undefined) {
    const page: EventPage<EventRow> = await readEventRows(database, {
      ...key,
      from: next,
      chunks: false,
      limit: PAGE_ROWS,
    });
    rows.push(...page.events);
    next = page.next;
  }
  return rows;
}
