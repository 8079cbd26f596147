import { ApplicationFailure } from '@temporalio/common';
import { setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { ScheduledRunInput, ScheduledRunResult } from '@everturn/core/protocol';
import { fireSchedule, promptState } from './proxies.ts';

/** A firing looks after its turn first after a second, and at last every half an hour. */
const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 1_800_000;

/** One firing of an operator's schedule: says its prompt, and lasts until the turn of it has ended, which overlap is about. */
export async function scheduledRunWorkflow(input: ScheduledRunInput): Promise<ScheduledRunResult> {
  const sent = await fireSchedule({ ...input, firing: workflowInfo().workflowId });
  if (sent.kind === 'refused') throw ApplicationFailure.nonRetryable(sent.message, sent.code);
  const { session, promptId } = sent;
  setCurrentDetails(`Prompt \`${promptId}\` went to \`session:${session}\`.`);
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(2 * waitMs, LAST_LOOK_MS)) {
    await sleep(waitMs);
    const { state } = await promptState({ tenant: input.tenant, session, promptId });
    if (state !== 'waiting') return { session, promptId, state };
  }
}
