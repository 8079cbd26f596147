import {
  mailHeading,
  text,
  type MessageEntry,
  type RequestId,
  type SessionId,
  type TeamMail,
} from '@everturn/core/domain';
import { acceptPrompt, inlineOrStore, readSession, readTeamMail, settledPrompts } from '@everturn/core/postgres';
import type { HandMailResult, SessionRef } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { Courier } from '../children/courier.ts';
import { INLINE_CONTENT_BYTES } from '../children/inline-content.ts';

/** Hands a message that the lead's log keeps to its target; a target that has it takes it once. */
export async function handMail(
  deps: ActivityDeps,
  courier: Courier,
  { tenant, session: lead, target, messageId }: SessionRef & { target: SessionId; messageId: string },
): Promise<HandMailResult> {
  const { database } = deps;
  const key = { tenant, session: target };
  const [mail, row, settled] = await Promise.all([
    readTeamMail(database, { tenant, session: lead, messageId }),
    readSession(database, key),
    settledPrompts(database, { ...key, ids: [messageId] }),
  ]);
  if (settled.length > 0) return { kind: 'read' };
  if (!mail || !row) return { kind: 'refused' };
  const entry = await entryOf(deps, { tenant, lead, mail });
  if (target === lead) return { kind: 'own', entry };
  await acceptPrompt(database, { ...key, mode: 'steer', entry });
  const { requestId, content, source, preview } = entry;
  const answer = await courier.submit(target, { requestId, mode: 'steer', content, source, preview });
  if (answer.kind !== 'gone') return { kind: answer.kind };
  return { kind: 'gone', preview: row.preview, searchAttributes: deps.searchAttributes() };
}

async function entryOf(
  { database }: ActivityDeps,
  { tenant, lead, mail }: { tenant: SessionRef['tenant']; lead: SessionId; mail: TeamMail },
): Promise<MessageEntry> {
  const { id, senderId, senderName, content } = mail;
  return {
    requestId: id as RequestId,
    kind: 'prompt',
    content: await inlineOrStore(database, tenant, [text(mailHeading(mail)), text(content)], INLINE_CONTENT_BYTES),
    source: { kind: 'team-message', teamId: lead, messageId: id, senderId, senderName },
    preview: Array.from(`${senderName}: ${content.replaceAll(/\s+/g, ' ')}`)
      .slice(0, 100)
      .join(''),
  };
}
