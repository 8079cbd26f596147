import { condition } from '@temporalio/workflow';
import { planSubCalls } from '@everturn/core/domain';
import type { ProgramInput, ProgramResult } from '../../contract/index.ts';
import type { onCancel } from '../shared/on-cancel.ts';
import type { CallRun } from '../step/call-run.ts';
import { commitSubCall } from './commit-sub-call.ts';
import { continueDue, continueProgram } from './continue-program.ts';
import { limitTime } from './limit-time.ts';
import { commitAgent, startAgents } from './run-agents.ts';
import { beginScript, isScript } from './script-events.ts';
import { openProgram, type ProgramHeard, type ProgramState } from './program-state.ts';
import { runRound } from './run-round.ts';
import { settleProgram } from './settle-program.ts';
import { startSubCalls } from './start-sub-calls.ts';

/**
 * Runs a program round by round: each brings it to its next calls. Calls start in the order the program made them and
 * as the scheduler lets them; as soon as any has settled the program goes on, while others may still run.
 */
export async function runProgram(
  input: ProgramInput,
  heard: ProgramHeard,
  cancelled: ReturnType<typeof onCancel>,
): Promise<ProgramResult> {
  const program = openProgram(input, heard);
  if (isScript(program) && !input.carried) beginScript(program);
  cancelled(() => (program.over ??= { kind: 'stopped', failure: 'abort', message: 'the run was cancelled' }));
  // Agents may take days; what the script itself does is bounded where it runs.
  const noLimit = isScript(program) ? () => undefined : limitTime(program);
  while (!program.over) {
    const work = nextWork(program);
    switch (work.kind) {
      case 'commit':
        await (isScript(program) ? commitAgent : commitSubCall)(program, work.run);
        break;
      case 'continue': {
        noLimit();
        const next = await continueProgram(program);
        if (next) return next;
        break;
      }
      case 'go-on':
        if (work.round) runRound(program);
        if (work.start.length > 0) (isScript(program) ? startAgents : startSubCalls)(program, work.start);
        await condition(() => program.over !== undefined || isWork(nextWork(program)));
        break;
    }
  }
  noLimit();
  return settleProgram(program, program.over);
}

type Work =
  | { kind: 'commit'; run: CallRun }
  | { kind: 'continue' }
  | { kind: 'go-on'; round: boolean; start: CallRun[] };

const isWork = (work: Work): boolean => work.kind !== 'go-on' || work.round || work.start.length > 0;

/** What is to be done next; nothing while everything that could go on is under way. */
function nextWork(program: ProgramState): Work {
  const { step, round, journal, handed } = program;
  const finished = step.runs.find(({ state }) => state === 'finished');
  if (finished) return { kind: 'commit', run: finished };
  const due = round !== 'none' && continueDue(program);
  if (due && round === 'idle' && step.runs.every(({ state }) => state === 'waiting')) return { kind: 'continue' };
  return {
    kind: 'go-on',
    round: round === 'none' || (round === 'idle' && journal.length > handed && !due),
    start: due || program.lane === 'busy' ? [] : startable(program),
  };
}

function startable({ input, step }: ProgramState): CallRun[] {
  const calls = step.runs.map(({ call, state }) => ({ concurrency: call.concurrency, state }));
  const maxParallel = input.maxParallel ?? step.assembly.settings?.program.maxParallelSubCalls ?? 1;
  return planSubCalls({ calls, maxParallel }).map((index) => step.runs[index] as CallRun);
}
