import { ApplicationFailure } from '@temporalio/common';
import { condition, getExternalWorkflowHandle, setCurrentDetails, sleep } from '@temporalio/workflow';
import {
  sessionWorkflowId,
  type FiringInput,
  type ScheduledRunResult,
  type WithdrawMessage,
} from '@everturn/core/protocol';
import { fireSchedule, promptState } from '../proxies.ts';

/** A firing looks after its turn first after a second, and at last every half an hour. */
const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 1_800_000;
/** A turn that was told to stop takes no longer than this, or its session is gone. */
const STOP_MS = 60_000;

/** Says the prompt of a firing, and lasts until the turn of it has ended. */
export async function runFiring(
  input: FiringInput,
  { stopped }: { stopped: () => boolean },
): Promise<ScheduledRunResult> {
  const sent = await fireSchedule(input);
  if (sent.kind === 'refused') throw ApplicationFailure.nonRetryable(sent.message, sent.code);
  const { session, promptId } = sent;
  setCurrentDetails(`Prompt \`${promptId}\` went to \`session:${session}\`.`);
  let stopping: number | undefined;
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(2 * waitMs, LAST_LOOK_MS)) {
    if (stopping === undefined) await condition(stopped, waitMs);
    else await sleep(FIRST_LOOK_MS);
    if (stopped() && stopping === undefined) {
      stopping = Date.now();
      await withdraw(sent);
    }
    const withdrawn = stopping !== undefined && ({ withdrawn: true } as const);
    const { state } = await promptState({ tenant: input.tenant, session, promptId, ...withdrawn });
    if (state !== 'waiting') return { session, promptId, state };
    if (stopping !== undefined && Date.now() - stopping >= STOP_MS) return { session, promptId, state: 'discarded' };
  }
}

/** A session that is gone has nothing to be taken back from. */
async function withdraw({ session, promptId }: Pick<ScheduledRunResult, 'session' | 'promptId'>): Promise<void> {
  await getExternalWorkflowHandle(sessionWorkflowId(session))
    .signal<[WithdrawMessage]>('withdraw', { message: promptId })
    .catch(() => undefined);
}
