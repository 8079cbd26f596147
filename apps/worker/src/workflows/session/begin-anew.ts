import { getExternalWorkflowHandle, patched } from '@temporalio/workflow';
import { activate, type Activation, type RequestId } from '@everturn/core/domain';
import { sessionWorkflowId, type ChildMessage } from '@everturn/core/protocol';
import { errand } from './session-errands.ts';
import type { SessionState } from './session-state.ts';

/**
 * An agent has something to do that its owner did not give it: it had said that it was done, or began a new life, and a
 * person wrote, a job ended, an agent of its own was written to. Its owner hears that it is at work, or would be done
 * before it is.
 */
export function beginAnew(session: SessionState, message: RequestId): 'begun' | 'at-work' {
  const { activation } = session;
  if (!activation || session.closing || isOfOwner(activation) || !patched('begins-by-itself')) return 'at-work';
  session.activation = activate(activation, message);
  sayAtWork(session, message);
  return 'begun';
}

/** Its owner has given it what it has in hand, and waits for it. */
const isOfOwner = ({ state, taken }: Activation): boolean => state === 'running' && taken.length > 0;

/** It is not done again before its owner knows; an owner that is gone need not know. */
function sayAtWork(session: SessionState, message: RequestId): void {
  const { owner, session: child } = session.input;
  if (!owner) return;
  session.callsUp += 1;
  errand(session, async () => {
    await getExternalWorkflowHandle(sessionWorkflowId(owner.session))
      .signal<[ChildMessage]>('childCalled', { child, message })
      .catch(() => undefined);
    session.callsUp -= 1;
  });
}
