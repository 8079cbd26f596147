import type { OpenChildren } from '@everturn/core/domain';
import { describeAgents } from './session-details.ts';
import type { SessionState } from './session-state.ts';

/** Notes who works for the session now, and shows it to operators. */
export function keepChildren(session: SessionState, children: OpenChildren): void {
  session.children = children;
  describeAgents(session);
}
