import {
  boundResult,
  programResult,
  workflowResult,
  type ProgramEnd,
  type ToolExecutionResult,
} from '@everturn/tools/kit';
import type { RunningProgram } from '@everturn/tools/world';
import type { RunProgramInput, RunProgramResult } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { isHere } from '../intercept/bound-accepted.ts';

/** UTF-16 units of what a failed program printed that its error shows. */
const MAX_CAPTURED = 16_384;

type Told = Omit<Extract<RunProgramResult, { kind: 'ended' }>, 'acks' | 'registry' | 'news'>;

/** The result of the call that ran the program, as long as it may be; its thread is free again. */
export async function tellEnd(
  deps: ActivityDeps,
  input: RunProgramInput,
  { running, end }: { running: RunningProgram | undefined; end: ProgramEnd },
): Promise<Told> {
  const result = resultOf(deps, input, { running, end });
  if (running) await deps.programs.close(running);
  const { content, isError, error } = await bounded(deps, input, result);
  return {
    kind: 'ended',
    outcome: { content: await deps.values.travel(input.tenant, content), isError, ...(error && { error }) },
  };
}

function resultOf(
  { settings }: ActivityDeps,
  { kind, script }: RunProgramInput,
  { running, end }: { running: RunningProgram | undefined; end: ProgramEnd },
): ToolExecutionResult {
  const calls = running?.calls.length ?? 0;
  const { maxResultChars } = settings.workflow;
  if (kind === 'workflow') return workflowResult({ end, name: script?.name ?? '', agents: calls, maxResultChars });
  return programResult({ end, logs: running?.logs ?? [], maxCaptured: MAX_CAPTURED });
}

async function bounded(
  deps: ActivityDeps,
  input: RunProgramInput,
  result: ToolExecutionResult,
): Promise<ToolExecutionResult> {
  const { maxInlineBytes } = deps.settings;
  // With listeners after the call the whole is theirs to judge first; whoever asks them bounds it afterwards.
  // A program is given the whole.
  if (input.call.within !== undefined) return result;
  if (maxInlineBytes === undefined || input.spill === 'after-listeners' || !(await isHere(deps, input))) return result;
  return boundResult({
    tool: input.kind,
    result,
    session: input.session,
    spill: deps.ports.spill,
    maxInlineBytes,
    warn: (message, cause) => deps.log.warn({ err: cause, session: input.session }, message),
  });
}
