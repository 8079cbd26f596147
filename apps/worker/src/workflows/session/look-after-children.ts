import { patched } from '@temporalio/workflow';
import type { SessionId } from '@everturn/core/domain';
import { lostChildren } from '../proxies.ts';
import { takeSettled } from './session-children.ts';
import { sessionRef, type SessionState } from './session-state.ts';

/** Whether a session waits for agents that are at work. */
export const hasOpenChildren = ({ children }: SessionState): boolean =>
  Object.keys(children).length > 0 && patched('look-after-children');

/** An agent that was ended from outside says nothing, so that its owner has to look; it looks less and less often. */
export async function lookAfterChildren(session: SessionState): Promise<void> {
  session.looks += 1;
  // Its keys are their ids.
  const children = Object.keys(session.children) as SessionId[];
  const { lost } = await lostChildren({ ...sessionRef(session), children });
  for (const { child, notice } of lost) {
    session.looks = 0;
    takeSettled(session, { child, messages: 'all', notice });
  }
}
