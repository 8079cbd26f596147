import type { Kysely } from 'kysely';
import { canonicalJson } from '@everturn/core/domain';
import type { Tables } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import type { HistoryFacts } from '../histories/history-facts.ts';

/** Writes the messages that are missing, as far as a workflow was sent them, and how far each came. Answers how many. */
export async function rebuildPrompts(
  executor: Kysely<Tables>,
  { tenant, session }: Pick<SessionRef, 'tenant' | 'session'>,
  { prompts, promptStates }: HistoryFacts,
): Promise<number> {
  let restored = 0;
  for (const [promptId, { mode, entry }] of prompts) {
    const known = promptStates.get(promptId);
    const result = await executor
      .insertInto('prompts')
      .values({
        session_id: session,
        prompt_id: promptId,
        tenant,
        mode,
        // It reached the session, so that it is queued unless something says more.
        state: known?.state ?? 'queued',
        entry: canonicalJson(entry),
        turn: known?.turn ?? null,
      })
      .onConflict((conflict) => conflict.columns(['session_id', 'prompt_id']).doNothing())
      .executeTakeFirst();
    restored += Number(result.numInsertedOrUpdatedRows ?? 0n);
  }
  return restored;
}
