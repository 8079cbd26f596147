import type { MessageEntry, SessionId, TenantId } from '@everturn/core/domain';
import type { SubmitPrompt } from '@everturn/core/protocol';

/** Brings a message to a session's workflow, which is started if it does not run. */
export type SendPrompt = (session: { tenant: TenantId; session: SessionId }, message: SubmitPrompt) => Promise<void>;

/** What a session is sent of a message. */
export function messageOf({ requestId, content, source, preview }: MessageEntry): SubmitPrompt {
  return { requestId, mode: 'send', content, source, preview };
}
