import { canonicalJson } from '../domain/index.ts';
import type { MessageEntry, RequestId, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

export interface EditPromptInput {
  tenant: TenantId;
  session: SessionId;
  promptId: RequestId;
  entry: MessageEntry;
}

/** Replaces a message that no turn has claimed, so that a later life of the session takes up the new one. */
export async function editPrompt(
  database: Database,
  { tenant, session, promptId, entry }: EditPromptInput,
): Promise<void> {
  await database
    .updateTable('prompts')
    .set({ entry: canonicalJson(entry) })
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('prompt_id', '=', promptId)
    .where('state', 'in', ['accepted', 'queued'])
    .execute();
}

/** Says of a message that no turn has claimed that none ever will. */
export async function discardPrompt(
  database: Database,
  { tenant, session, promptId }: Omit<EditPromptInput, 'entry'>,
): Promise<void> {
  await database
    .updateTable('prompts')
    .set({ state: 'discarded' })
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('prompt_id', '=', promptId)
    .where('state', 'in', ['accepted', 'queued'])
    .execute();
}
