import {
  callChild,
  deliveredFacts,
  pendingFor,
  releaseChild,
  type RequestId,
  type SessionId,
} from '@everturn/core/domain';
import type { HandMailResult } from '../../../contract/index.ts';
import { Mutex } from '../../shared/mutex.ts';
import { handMail, readMail } from '../../proxies.ts';
import { startStaying } from '../../step/start-staying.ts';
import { keepChildren } from '../keep-children.ts';
import { sessionRef, type SessionState } from '../session-state.ts';
import type { TeamDesk } from './open-desk.ts';
import { write } from './team-desk.ts';

/** A life that ends while it is written to is followed by the next; more often than this it is something else. */
const MOST_ATTEMPTS = 5;

/** Hands what waits for somebody to them, in order, up to what they do not take now. */
export async function deliverMail(session: SessionState, desk: TeamDesk, target: SessionId): Promise<void> {
  const turns = desk.deliveries.get(target) ?? new Mutex();
  desk.deliveries.set(target, turns);
  await turns.run(async () => {
    for (;;) {
      const next = pendingFor(desk.team, target).find(({ id }) => !desk.handed.has(id));
      if (!next || !isThere(desk, target) || !(await hand(session, desk, target, next.id))) return;
    }
  });
}

/** Members that are being made get their messages afterwards. */
const isThere = ({ team }: TeamDesk, target: SessionId): boolean =>
  target === team.id || team.members.some(({ id, phase }) => id === target && phase === 'active');

async function hand(session: SessionState, desk: TeamDesk, target: SessionId, messageId: string): Promise<boolean> {
  const message = messageId as RequestId;
  const own = target === desk.team.id;
  // It has this in hand before it can be done with it.
  if (!own) keepChildren(session, callChild(session.children, target, message));
  const result = await bring(session, target, messageId);
  if (result.kind === 'own' && session.requests.admit(message) === 'new') session.settlements.push(result.entry);
  if (result.kind === 'read' || result.kind === 'refused')
    keepChildren(session, releaseChild(session.children, target, [message]));
  if (result.kind === 'read') await write(session, desk, deliveredFacts(desk.team, target, [messageId]));
  if (result.kind === 'refused' || result.kind === 'gone') return false;
  if (result.kind !== 'read') desk.handed.add(messageId);
  return true;
}

/** Brings a message to its target, and its target back to life for it. */
async function bring(session: SessionState, target: SessionId, messageId: string): Promise<HandMailResult> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await handMail({ ...sessionRef(session), target, messageId });
    if (result.kind !== 'gone') return result;
    const started = await startStaying(session.input, { ...result, child: target, intent: 'resume' });
    if (started === 'started') return { kind: 'taken' };
    if (attempt === MOST_ATTEMPTS) return { kind: 'refused' };
  }
}

/** Notes in the log what somebody has read of what waited for them. */
export async function noteRead(session: SessionState, desk: TeamDesk, target: SessionId): Promise<void> {
  const ids = pendingFor(desk.team, target).map(({ id }) => id);
  if (ids.length === 0) return;
  const { read } = await readMail({ ...sessionRef(session), target, ids });
  for (const id of read) desk.handed.delete(id);
  await write(session, desk, deliveredFacts(desk.team, target, read));
}
