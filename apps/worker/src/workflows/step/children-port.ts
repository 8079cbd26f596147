import { uuid4 } from '@temporalio/workflow';
import type { SessionId } from '@everturn/core/domain';
import { abortedResult, errorResult, ToolError, type ChildrenPort, type DelegateRequest } from '@everturn/tools/kit';
import type { ReferredResult } from '@everturn/tools/kit';
import type { ChildRefusal } from '../../contract/index.ts';
import { prepareChild, readChild } from '../proxies.ts';
import { runChild } from './run-child.ts';
import { stepRef, type StepState } from './step-state.ts';

/** The agents that a call of a step may have work for it. */
export function childrenOf(step: StepState): ChildrenPort {
  return { run: (request) => runOneShot(step, request) };
}

async function runOneShot(step: StepState, request: DelegateRequest): Promise<ReferredResult> {
  // What the parent is and may do counts as of now, before anything is waited for.
  const mode = 'one-shot' as const;
  const input = {
    ...stepRef(step.input),
    child: `sub-${uuid4()}` as SessionId,
    mode,
    ...request,
    config: step.assembly.config,
    ...(step.permissions.now && { sandbox: step.permissions.now.sandbox }),
  };
  await step.writer.flush(); // the call is in the log before anything is done
  if (step.stop.requested) return abortedResult('before-dispatch');
  const prepared = await prepareChild(input);
  if (prepared.kind === 'refused') return refused(prepared);
  const ended = await runChild(step, { ...input, ...prepared });
  const { child } = input;
  const { stop, content } = await readChild({ ...stepRef(step.input), child, mode, ...ended });
  return { content, isError: stop !== 'completed' };
}

const refused = ({ code, message }: ChildRefusal): ReferredResult => errorResult(new ToolError(code, message));
