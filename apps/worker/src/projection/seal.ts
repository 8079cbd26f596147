import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { readSeals } from '@everturn/core/postgres';
import type { Tables, TurnSeal } from '@everturn/core/postgres';
import type { SessionRef } from '../contract/index.ts';
import { asProjectionError, ProjectionError } from './errors.ts';
import type { HistorySource } from './histories/collect-facts.ts';
import type { Projection } from './projection.ts';
import { hashRows, NO_SEAL } from './seal-chain.ts';
import { verify } from './verify.ts';

type SessionKey = Pick<SessionRef, 'tenant' | 'session'>;

export interface SealInput extends SessionKey {
  /** The last turn to seal; without it, every finished turn. */
  through?: number;
  progress?: () => void;
}

/**
 * Seals finished turns: verifies their rows against their histories, then puts a hash over the non-chunk rows of each,
 * so that they can be verified when the histories are gone. Answers the turns it sealed; throws `SEAL_REFUSED`.
 */
export async function seal(projection: Projection, source: HistorySource, input: SealInput): Promise<number[]> {
  const { through = Number.MAX_SAFE_INTEGER } = input;
  const report = await verify(projection, source, input);
  if (!report.sound) {
    const [first] = report.problems;
    const told = `${first?.message} (${report.problems.length} in all)`;
    throw new ProjectionError(
      'SEAL_REFUSED',
      `session ${input.session} is not sealed, rows and histories differ: ${told}`,
    );
  }
  return asProjectionError(() =>
    projection.database.transaction().execute(async (transaction) => {
      const sealed: number[] = [];
      let previous = (await readSeals(projection.database, input)).at(-1);
      for (let turn = (previous?.turn ?? 0) + 1; turn <= through; turn += 1) {
        const bounds = await turnBounds(transaction, input, turn);
        // A number no history has heard of yet could still turn out another.
        if (!bounds || bounds.to > report.confirmedTo) break;
        previous = await sealTurn(transaction, { ...input, turn, ...bounds, previous: previous?.hash ?? NO_SEAL });
        sealed.push(turn);
      }
      return sealed;
    }),
  );
}

type Executor = Kysely<Tables>;

async function turnBounds(
  executor: Executor,
  { tenant, session }: SessionKey,
  turn: number,
): Promise<{ from: number; to: number } | undefined> {
  const { rows } = await sql<{ from: number | null; to: number | null }>`
    select min(seq) filter (where type = 'turn/start') as "from", max(seq) filter (where type = 'turn/end') as "to"
    from session_events
    where tenant = ${tenant} and session_id = ${session} and turn = ${turn} and type in ('turn/start', 'turn/end')
  `.execute(executor);
  const { from = null, to = null } = rows[0] ?? {};
  return from === null || to === null ? undefined : { from, to };
}

interface SealTurnInput extends SessionKey {
  turn: number;
  from: number;
  to: number;
  previous: Buffer;
}

async function sealTurn(executor: Executor, input: SealTurnInput): Promise<TurnSeal> {
  const { tenant, session, turn, from, to, previous } = input;
  const { hash, rowCount } = await hashRows(executor, input);
  await executor
    .insertInto('turn_seals')
    .values({ session_id: session, turn, tenant, from_seq: from, to_seq: to, row_count: rowCount, previous, hash })
    .onConflict((conflict) => conflict.columns(['session_id', 'turn']).doNothing())
    .execute();
  return { turn, fromSeq: from, toSeq: to, rowCount, previous, hash };
}
