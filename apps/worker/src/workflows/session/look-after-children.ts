import { patched } from '@temporalio/workflow';
import { EARLIER_WORK, type SessionId } from '@everturn/core/domain';
import { lostChildren } from '../proxies.ts';
import { takeSettled } from './session-children.ts';
import { sessionRef, type SessionState } from './session-state.ts';

/** Whether a session waits for agents that are at work. */
export const hasOpenChildren = ({ children }: SessionState): boolean =>
  Object.keys(children).length > 0 && patched('look-after-children');

/**
 * An agent that was ended from outside says nothing, so that its owner has to look; nor may one that was at work as the
 * owner's life began, but not for the owner. It looks less and less often.
 */
export async function lookAfterChildren(session: SessionState): Promise<void> {
  session.looks += 1;
  // Its keys are their ids.
  const children = Object.keys(session.children) as SessionId[];
  const earlier = children.filter((child) => session.children[child]?.includes(EARLIER_WORK));
  const { lost, rested = [] } = await lostChildren({
    ...sessionRef(session),
    children,
    ...(earlier.length > 0 && { earlier }),
  });
  for (const { child, notice } of lost) {
    session.looks = 0;
    takeSettled(session, { child, messages: 'all', notice });
  }
  // They had nothing in hand that they owe a word of.
  if (rested.length > 0 && patched('rested-children'))
    for (const child of rested) takeSettled(session, { child, messages: [] });
}
