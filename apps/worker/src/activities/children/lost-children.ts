import {
  settlementLine,
  settlementNotice,
  type MessageEntry,
  type RequestId,
  type SessionId,
} from '@everturn/core/domain';
import { childrenAtRest, inlineOrStore } from '@everturn/core/postgres';
import type { ChildActivities, LostChild, SessionRef } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { Courier } from './courier.ts';
import { INLINE_CONTENT_BYTES } from './inline-content.ts';
import { readEnd } from './read-end.ts';

/** A child shows that it rests before it tells its owner so; by then it has, or never will. */
const RESTED_MS = 60_000;

/** Looks which children were ended from outside, and words what their owner is told of each. */
export async function lostChildren(
  deps: ActivityDeps,
  courier: Courier,
  { children, earlier = [], ...ref }: Parameters<ChildActivities['lostChildren']>[0],
): ReturnType<ChildActivities['lostChildren']> {
  const lost: LostChild[] = [];
  for (const child of children) {
    const ended = await courier.endedFromOutside(child);
    if (ended) lost.push({ child, notice: await noticeOf(deps, ref, { child, ...ended }) });
  }
  const others = earlier.filter((child) => !lost.some((one) => one.child === child));
  if (others.length === 0) return { lost };
  return { lost, rested: await childrenAtRest(deps.database, ref, { children: others, forMs: RESTED_MS }) };
}

async function noticeOf(
  { database }: ActivityDeps,
  { tenant }: SessionRef,
  { child, runId, status }: { child: SessionId; runId: string; status: string },
): Promise<MessageEntry> {
  const { words } = await readEnd(database, { tenant, child });
  const diagnostic = `its workflow was ended from outside (${status})`;
  const content = settlementNotice({ child, stop: 'error', diagnostic, words });
  const summary = settlementLine(child, 'error');
  return {
    requestId: `lost.${child}.${runId}`.slice(0, 128) as RequestId,
    kind: 'prompt',
    content: await inlineOrStore(database, tenant, content, INLINE_CONTENT_BYTES),
    source: { kind: 'subagent-settled', form: 'notice', summary, senderSessionId: child },
    preview: summary,
  };
}
