import {
  relayHeading,
  routeMessage,
  SessionId,
  text,
  undelivered,
  type ContentBlock,
  type MessageEntry,
} from '@everturn/core/domain';
import { acceptPrompt, discardPrompt, inlineOrStore, readSession, type SessionRow } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { SendMessageInput, SendMessageResult } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { Courier } from './courier.ts';
import { INLINE_CONTENT_BYTES } from './inline-content.ts';

/** Hands a message to a child or to the agent the caller works for; refused = it was not delivered. */
export async function sendMessage(
  deps: ActivityDeps,
  courier: Courier,
  input: SendMessageInput,
): Promise<SendMessageResult> {
  const { tenant, session, owner, requestId } = input;
  const target = await findTarget(deps, input);
  const mode = (target?.options as SessionOptions | undefined)?.delegation?.mode;
  const route = routeMessage({
    caller: session,
    owner,
    target: target && { id: target.id, ...(target.parent && { parent: target.parent }), ...(mode && { mode }) },
  });
  if (route.kind === 'refused' || !target) return route.kind === 'refused' ? route : unauthorized;
  const entry = await entryOf(deps, input);
  const { content, source, preview } = entry;
  const key = { tenant, session: target.id };
  await acceptPrompt(deps.database, { ...key, mode: 'steer', entry });
  const answer = await courier.submit(target.id, { requestId, mode: 'steer', content, source, preview });
  if (answer.kind === 'taken') return answer;
  if (answer.kind === 'gone' && route.kind === 'down')
    return { kind: 'inactive', preview: target.preview, searchAttributes: deps.searchAttributes() };
  await discardPrompt(deps.database, { ...key, promptId: requestId });
  return { kind: 'refused', ...undelivered(route.kind, target.id, answer) };
}

const unauthorized = { kind: 'refused', code: 'UNAUTHORIZED', message: 'there is no such agent' } as const;

async function findTarget(
  { database }: ActivityDeps,
  { tenant, agent }: SendMessageInput,
): Promise<SessionRow | undefined> {
  const id = SessionId.safeParse(agent);
  return id.success ? readSession(database, { tenant, session: id.data }) : undefined;
}

async function entryOf({ database }: ActivityDeps, input: SendMessageInput): Promise<MessageEntry> {
  const { tenant, session, message, requestId } = input;
  const content: ContentBlock[] = [text(relayHeading(session)), text(message)];
  return {
    requestId,
    kind: 'prompt',
    content: await inlineOrStore(database, tenant, content, INLINE_CONTENT_BYTES),
    source: { kind: 'agent-message', form: 'relay', senderSessionId: session },
    preview: Array.from(message.replaceAll(/\s+/g, ' ')).slice(0, 100).join(''),
  };
}
