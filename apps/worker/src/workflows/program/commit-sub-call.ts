import { isBlobRef, type HookContext } from '@everturn/core/domain';
import { CODE_TOOL, isApprovedPlan, type OrchestratedEvent } from '@everturn/tools/kit';
import type { JournalEntry, ToolOutcome } from '../../contract/index.ts';
import type { CallRun } from '../step/call-run.ts';
import { announceResult, judgeCall } from '../step/judge-call.ts';
import { identityOf } from './start-sub-calls.ts';
import type { ProgramState } from './program-state.ts';

/** Lets listeners judge a finished call of a program, writes what came of it, and keeps the answer for the program. */
export async function commitSubCall(program: ProgramState, run: CallRun): Promise<void> {
  const { step } = program;
  run.state = 'committed';
  if (run.end?.kind === 'thrown') program.over ??= { kind: 'thrown', error: run.end.error };
  if (run.end?.kind === 'outcome') {
    const body = run.end.outcome;
    const outcome = run.end.final ? body : await judgeCall(step, run, body);
    const { content, isError, error, meta, contexts = [], concludesTurn, events = [] } = outcome;
    const replaced = content !== body.content;
    const logged = (!replaced && outcome.forProgram?.logged) || content;
    step.writer.append('tool/ptc-dispatch', {
      ...identityOf(program, run),
      content: logged,
      isError,
      ...(error && { error }),
    });
    if (!isError) for (const event of events) keep(program, event);
    step.contexts.push(...contexts, ...shownImages(outcome));
    step.concludesTurn ||= concludesTurn === true;
    if (step.assembly.plan && isApprovedPlan(run.call.name, { isError, meta })) step.plan = 'approved';
    program.journal.push(entryOf(run.call.index, outcome, replaced));
    await announceResult(step, run, outcome);
  }
  step.runs.splice(step.runs.indexOf(run), 1);
}

/** The session's result counts only if the program succeeds; everything else has happened. */
function keep(program: ProgramState, event: OrchestratedEvent): void {
  if (event.type === 'subagent/output') program.output ??= event;
  // The pair of type and data is right for each event, which a list of any of them cannot say.
  else program.step.writer.append(event.type, event.data as never);
}

/** What works and was left as it is lies in the claim of the call; everything else is told in full. */
function entryOf(n: number, { content, isError, forProgram }: ToolOutcome, replaced: boolean): JournalEntry {
  return forProgram && !isError && !replaced ? n : { n, content, isError };
}

/** A program cannot look at pictures, so the model is shown them after the run. */
function shownImages({ content, isError }: ToolOutcome): HookContext[] {
  if (isError || isBlobRef(content)) return [];
  const images = content.filter(({ type }) => type === 'image');
  return images.length === 0 ? [] : [{ content: images, source: { kind: 'plugin', plugin: CODE_TOOL } }];
}
