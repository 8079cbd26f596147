import type { RequestId, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

export interface SettleRequestInput {
  tenant: TenantId;
  session: SessionId;
  requestId: RequestId;
  outcome: { kind: 'accepted' } | { kind: 'refused'; code: string; message: string };
}

/**
 * Records what a session answered to a request, for those who ask later. The first outcome stays. A refused prompt is
 * discarded in the same transaction, so that no later life of the session takes it up.
 */
export async function settleRequest(database: Database, input: SettleRequestInput): Promise<void> {
  const { tenant, session, requestId, outcome } = input;
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('requests')
      .values({
        tenant,
        session_id: session,
        request_id: requestId,
        outcome: outcome.kind,
        code: outcome.kind === 'refused' ? outcome.code : null,
        message: outcome.kind === 'refused' ? outcome.message : null,
      })
      .onConflict((conflict) => conflict.columns(['session_id', 'request_id']).doNothing())
      .execute();
    if (outcome.kind === 'refused') await discardUnclaimed(transaction, { tenant, session, requestId });
  });
}

/**
 * Takes back a refusal that was only for the moment, so that the same request may be sent again; a prompt it discarded
 * waits to be sent once more.
 */
export async function reopenRequest(database: Database, key: Omit<SettleRequestInput, 'outcome'>): Promise<void> {
  const { tenant, session, requestId } = key;
  await database.transaction().execute(async (transaction) => {
    const taken = await transaction
      .deleteFrom('requests')
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .where('request_id', '=', requestId)
      .where('outcome', '=', 'refused')
      .executeTakeFirst();
    if (taken.numDeletedRows === 0n) return;
    await transaction
      .updateTable('prompts')
      .set({ state: 'accepted' })
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .where('prompt_id', '=', requestId)
      .where('state', '=', 'discarded')
      .execute();
  });
}

function discardUnclaimed(database: Pick<Database, 'updateTable'>, key: Omit<SettleRequestInput, 'outcome'>) {
  return database
    .updateTable('prompts')
    .set({ state: 'discarded' })
    .where('tenant', '=', key.tenant)
    .where('session_id', '=', key.session)
    .where('prompt_id', '=', key.requestId)
    .where('state', '=', 'accepted')
    .execute();
}
