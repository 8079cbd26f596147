import type { Kysely } from 'kysely';
import { canonicalJson } from '@everturn/core/domain';
import { storableJson, storableText } from '@everturn/core/postgres';
import type { Tables } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import type { EffectFact, HistoryFacts } from '../histories/history-facts.ts';

/**
 * Writes the claims that are missing. One that was begun and whose end no history knows becomes `unknown`: it may have
 * happened, and must not happen again. Answers how many.
 */
export async function rebuildEffects(
  executor: Kysely<Tables>,
  { tenant, session }: Pick<SessionRef, 'tenant' | 'session'>,
  { effects }: HistoryFacts,
): Promise<number> {
  let restored = 0;
  for (const [key, effect] of effects) {
    const result = await executor
      .insertInto('claims')
      .values({
        session_id: session,
        key,
        tenant,
        state: effect.state,
        turn: effect.turn === 0 ? null : effect.turn,
        step: effect.step === 0 ? null : effect.step,
        label: storableText(effect.label),
        ...outcomeColumns(effect),
      })
      .onConflict((conflict) => conflict.columns(['session_id', 'key']).doNothing())
      .executeTakeFirst();
    restored += Number(result.numInsertedOrUpdatedRows ?? 0n);
  }
  return restored;
}

function outcomeColumns(effect: EffectFact) {
  if (effect.state !== 'done') return {};
  const { outcome, written } = effect;
  return {
    outcome: canonicalJson(outcome),
    written: canonicalJson(written.map(({ event }) => event)),
    written_acks: storableJson(written.map(({ event, seq, time }) => [event.eid, seq, time])),
  };
}
