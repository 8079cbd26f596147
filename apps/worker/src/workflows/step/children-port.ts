import { getExternalWorkflowHandle, uuid4 } from '@temporalio/workflow';
import { FIRST_MESSAGE, SessionId, type DelegationMode, type RequestId } from '@everturn/core/domain';
import { sessionWorkflowId, type CancelRequest } from '@everturn/core/protocol';
import {
  abortedResult,
  errorResult,
  ToolError,
  type ChildrenPort,
  type DelegateRequest,
  type ReferredResult,
  type Wish,
} from '@everturn/tools/kit';
import type { ChildRefusal, PrepareChildInput, RequestedCall } from '../../contract/index.ts';
import { listAgents, mayInterrupt, prepareAgentJob, prepareChild, readChild } from '../proxies.ts';
import { announceAgent } from '../shared/announce-agent.ts';
import { runChild } from './run-child.ts';
import { sendToAgent } from './send-to-agent.ts';
import { startAgentJob } from './start-job.ts';
import { startChildOf } from './start-child.ts';
import { stepRef, type StepState } from './step-state.ts';

/** The agents that a call of a step may have work for it. */
export function childrenOf(step: StepState, call: RequestedCall): ChildrenPort {
  const ref = stepRef(step.input);
  return {
    run: (request) => runOneShot(step, request),
    background: (request) => runInBackground(step, call, request),
    start: (request) => startContinuable(step, request),
    async send(agent, message) {
      await step.writer.flush(); // the call is in the log before anything is done
      return step.stop.requested ? STOPPED : sendToAgent(step, agent, message);
    },
    async interrupt(agent) {
      await step.writer.flush();
      const verdict = await mayInterrupt({ ...ref, agent });
      if (verdict.kind === 'refused') return verdict;
      if (verdict.kind === 'interrupt') await interrupt(SessionId.parse(agent));
      return { kind: 'done' };
    },
    async list(scope) {
      const { lines } = await listAgents({ ...ref, scope });
      return lines;
    },
  };
}

const STOPPED = { kind: 'refused', code: 'CANCELLED', message: 'the turn was stopped; nothing was done' } as const;

/** A task, which may be too long to travel. */
type ChildTask = Pick<PrepareChildInput, 'row' | 'label' | 'prompt' | 'wish'>;

/** What the parent is and may do counts as of now, before anything is waited for. */
export function childInput(step: StepState, mode: DelegationMode, request: ChildTask): PrepareChildInput {
  return {
    ...stepRef(step.input),
    child: `sub-${uuid4()}` as SessionId,
    mode,
    ...request,
    config: step.assembly.config,
    ...(step.permissions.now && { sandbox: step.permissions.now.sandbox }),
  };
}

async function runOneShot(step: StepState, request: DelegateRequest): Promise<ReferredResult> {
  const input = childInput(step, 'one-shot', request);
  await step.writer.flush();
  if (step.stop.requested) return abortedResult('before-dispatch');
  const prepared = await prepareChild(input);
  if (prepared.kind === 'refused') return refused(prepared);
  const { child, mode } = input;
  announceAgent(step.input, input);
  const ended = await runChild(step, { ...prepared, child, mode });
  const { stop, content } = await readChild({ ...stepRef(step.input), child, mode, ...ended });
  announceAgent(step.input, input, stop);
  return { content, isError: stop !== 'completed' };
}

async function runInBackground(
  step: StepState,
  call: RequestedCall,
  request: DelegateRequest,
): Promise<Wish<{ job: string }>> {
  const input = childInput(step, 'one-shot', request);
  await step.writer.flush();
  if (step.stop.requested) return STOPPED;
  const { turn, step: number } = step.input;
  const place = { turn, step: number, call: { index: call.index }, ...(step.program && { parent: step.program }) };
  const prepared = await prepareAgentJob({ ...input, ...place });
  if (prepared.kind === 'refused') return prepared;
  const { job, preview, searchAttributes } = prepared;
  await startAgentJob(step, call, { job, agent: { child: input.child, preview, searchAttributes } });
  return { kind: 'done', job: job.id };
}

async function startContinuable(step: StepState, request: DelegateRequest): Promise<Wish<{ child: string }>> {
  const input = childInput(step, 'continuable', request);
  await step.writer.flush();
  if (step.stop.requested) return STOPPED;
  const prepared = await prepareChild(input);
  if (prepared.kind === 'refused') return prepared;
  const { child } = input;
  await startChildOf(step, { ...prepared, child, message: FIRST_MESSAGE, intent: 'open' });
  return { kind: 'done', child };
}

/** Stops the turn that runs, if one does; one that has gone meanwhile need not be stopped. */
async function interrupt(child: SessionId): Promise<void> {
  const request: CancelRequest = { requestId: `int-${uuid4()}` as RequestId, cause: 'parent', queue: 'park' };
  await getExternalWorkflowHandle(sessionWorkflowId(child))
    .signal<[CancelRequest]>('cancel', request)
    .catch(() => undefined);
}

const refused = ({ code, message }: ChildRefusal): ReferredResult => errorResult(new ToolError(code, message));
