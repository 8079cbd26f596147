import { condition } from '@temporalio/workflow';
import { errorResult, failedWorkflow, programResult, ToolError } from '@everturn/tools/kit';
import type { ProgramResult, ToolOutcome } from '../../contract/index.ts';
import { commitSubCall } from './commit-sub-call.ts';
import type { ProgramOver, ProgramState } from './program-state.ts';
import { commitAgent } from './run-agents.ts';
import { lastRound } from './run-round.ts';
import { endScript, isScript } from './script-events.ts';

/** Ends what still runs and records it, drops what never began, and says what came of it all. */
export async function settleProgram(program: ProgramState, over: ProgramOver): Promise<ProgramResult> {
  const { step } = program;
  const began = program.round !== 'none';
  step.stop.request();
  await condition(
    () => program.round !== 'running' && program.lane === 'free' && !step.runs.some(({ state }) => state === 'running'),
  );
  const commit = isScript(program) ? commitAgent : commitSubCall;
  for (const run of step.runs.filter(({ state }) => state === 'finished')) await commit(program, run);
  if (over.kind === 'thrown') {
    await step.writer.flush();
    throw over.error;
  }
  const outcome = over.kind === 'ended' ? over.outcome : await stoppedOutcome(program, over, began);
  if (isScript(program)) endScript(program, outcome);
  await step.writer.flush();
  return {
    outcome: {
      ...outcome,
      ...(program.output && !outcome.isError && { events: [...(outcome.events ?? []), program.output] }),
      ...(step.contexts.length > 0 && { contexts: step.contexts }),
      ...(step.concludesTurn && { concludesTurn: true }),
    },
    highestAcknowledged: step.writer.highestAcknowledged,
    registry: step.registry,
    assembly: step.assembly,
    ...(step.plan && { plan: step.plan }),
  };
}

async function stoppedOutcome(
  program: ProgramState,
  { failure, message }: Extract<ProgramOver, { kind: 'stopped' }>,
  began: boolean,
): Promise<ToolOutcome> {
  if (isScript(program) && !began) return failedWorkflow({ kind: 'failed', failure, message });
  if (!began) return programResult({ end: { kind: 'failed', failure, message }, logs: [], maxCaptured: 0 });
  const told = await lastRound(program, { failure, message });
  return told ?? errorResult(new ToolError('CODE_RUN_FAILED', `code run failed (${failure}): ${message}`));
}
