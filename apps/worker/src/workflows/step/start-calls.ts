import type { AuthoredEvent } from '@everturn/core/domain';
import { abortedResult, CODE_TOOL, codeOnlyResult, tooLateResult, type ToolExecutionResult } from '@everturn/tools/kit';
import type { RequestedCall } from '../../contract/index.ts';
import { finish, type CallRun } from './call-run.ts';
import { isGuarded, escalateCall } from './escalate-call.ts';
import { toolOf } from './offered-tool.ts';
import { policeCall } from './police-call.ts';
import { runBody } from './run-body.ts';
import { listens, type StepState } from './step-state.ts';

/**
 * Starts the calls that may: records them, asks policy one by one, and sets their bodies going without waiting.
 * Readers know of a call before anything is decided or done; only a lone unpoliced one carries its own record.
 */
export async function startCalls(step: StepState, runs: CallRun[], indices: readonly number[]): Promise<void> {
  const starting = indices.map((index) => runs[index] as CallRun);
  const policed = listens(step, 'tools/pre-execute') || listens(step, 'tools/guard');
  if (policed || starting.some((run) => isGuarded(step, run))) return startPoliced(step, starting[0]);
  const lone = starting.length === 1 && !runs.some((run) => run.state === 'running');
  for (const run of starting) open(step, run);
  if (!lone) await step.writer.flush();
  for (const run of starting) launch(step, run);
}

/** One at a time: what policy decides about a call may depend on the ones before. */
async function startPoliced(step: StepState, run: CallRun | undefined): Promise<void> {
  if (!run) return;
  open(step, run);
  await step.writer.flush();
  if (refuseDirect(step, run.call)) return launch(step, run);
  if ((await policeCall(step, run)) === 'settled') return;
  if ((await escalateCall(step, run)) === 'clear') launch(step, run);
}

function open(step: StepState, run: CallRun): void {
  run.called = appendCall(step, run.call);
  run.state = 'running';
}

function launch(step: StepState, run: CallRun): void {
  const refusal = refuseDirect(step, run.call);
  if (refusal) return finish(run, refusal, true);
  if (step.stop.requested) return finish(run, abortedResult('before-dispatch'));
  void runBody(step, run).then(
    (outcome) => finish(run, outcome),
    (error: Error) => {
      run.end = { kind: 'thrown', error };
      run.state = 'finished';
    },
  );
}

/** Writes the call as the model made it, arguments raw. */
export function appendCall(step: StepState, call: RequestedCall): AuthoredEvent {
  const { turn, step: number } = step.input;
  const { callId, name } = call;
  return step.writer.append('tool/call', { turn, step: number, callId, name, arguments: call.arguments });
}

/** What policy is not asked about: calls after the result was given, and those only programs can make. */
function refuseDirect(step: StepState, call: RequestedCall): ToolExecutionResult | undefined {
  if (step.concludesTurn && hasRecorded(step)) return tooLateResult(call.name);
  if (step.assembly.toolsMode !== 'ptc' || call.name === CODE_TOOL || !toolOf(step, call)) return undefined;
  return codeOnlyResult(call.name);
}

/** Whether the agent has given its result, which ends it. */
const hasRecorded = ({ runs }: StepState): boolean =>
  runs.some(
    ({ call, state, end }) =>
      call.tool?.outputSchema !== undefined &&
      state === 'committed' &&
      end?.kind === 'outcome' &&
      end.outcome.concludesTurn === true,
  );
