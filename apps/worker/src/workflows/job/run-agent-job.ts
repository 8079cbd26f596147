import { executeChild, isCancellation } from '@temporalio/workflow';
import { errorChain } from '@everturn/core/domain';
import { SESSION_WORKFLOW } from '@everturn/core/protocol';
import type { JobEnd } from '@everturn/tools/kit';
import type { JobAgent } from '../../contract/index.ts';
import { endAgentJob } from '../proxies.ts';
import { announceAgent } from '../shared/announce-agent.ts';
import { childOptions } from '../step/run-child.ts';
import type { JobState } from './job-state.ts';

/** Runs a prepared agent as a child of its job until it has closed; who kills the job closes the agent first. */
export async function runAgentJob({ input, ref, stop, telling }: JobState, agent: JobAgent): Promise<JobEnd> {
  const options = childOptions(input, { ...agent, mode: 'one-shot' });
  announceAgent(input, { child: agent.child, mode: 'one-shot' });
  const result = await stop.child(() => executeChild(SESSION_WORKFLOW, options));
  telling.cancel();
  const { turn, step, call, job } = input;
  const failure = result.kind === 'failed' && !isCancellation(result.error) ? errorChain(result.error) : undefined;
  const { end, stop: how } = await endAgentJob({
    ...ref,
    turn,
    step,
    call: { index: call.index, name: call.name },
    job,
    child: agent.child,
    cancelled: stop.requested || (result.kind === 'failed' && isCancellation(result.error)),
    ...(failure !== undefined && { failure }),
  });
  announceAgent(input, { child: agent.child, mode: 'one-shot' }, how);
  return end;
}
