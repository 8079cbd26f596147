import { getExternalWorkflowHandle } from '@temporalio/workflow';
import type { SessionReply } from '@everturn/core/protocol';
import { errand } from './session-errands.ts';
import type { SessionState } from './session-state.ts';

/** Answers a step that asked; one that is gone needs no answer. */
export function answerStep(session: SessionState, replyTo: string, reply: SessionReply): void {
  errand(session, () =>
    getExternalWorkflowHandle(replyTo)
      .signal<[SessionReply]>('sessionReply', reply)
      .catch(() => undefined),
  );
}
