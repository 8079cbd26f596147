import { uuid4 } from '@temporalio/workflow';
import type { RequestId, SessionId } from '@everturn/core/domain';
import type { Wish } from '@everturn/tools/kit';
import { sendMessage } from '../proxies.ts';
import { startChildOf, tellSession } from './start-child.ts';
import { stepRef, type StepState } from './step-state.ts';

/** A life that ends while it is written to is followed by the next; more often than this it is something else. */
const MOST_ATTEMPTS = 5;

/** Writes to another agent; a child that has ended is brought back to life for it. */
export async function sendToAgent(step: StepState, agent: string, message: string): Promise<Wish<object>> {
  const requestId = `msg-${uuid4()}` as RequestId;
  const { owner } = step.input;
  const up = owner?.mode === 'continuable' && owner.session === agent;
  const call = { child: agent as SessionId, message: requestId };
  if (!up) await tellSession(step, 'childCalled', call);
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendMessage({
      ...stepRef(step.input),
      agent,
      message,
      requestId,
      ...(up && { owner: owner.session }),
    });
    if (answer.kind === 'taken') return { kind: 'done' };
    if (answer.kind === 'inactive') {
      const { preview, searchAttributes } = answer;
      const started = await startChildOf(step, { ...call, preview, searchAttributes, intent: 'resume' });
      if (started === 'started') return { kind: 'done' };
      if (attempt < MOST_ATTEMPTS) continue;
    }
    if (!up) await tellSession(step, 'childReleased', call);
    return answer.kind === 'refused'
      ? answer
      : { kind: 'refused', code: 'ACTIVATION_CLOSING', message: `agent ${agent} is closing; nothing was delivered` };
  }
}
