import { isNoScript, type ProgramEnd } from '@everturn/tools/kit';
import { workflowPreludeSource, type Program, type RunningProgram, type SliceInput } from '@everturn/tools/world';
import { programName, type RunProgramInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { withOutput } from '../assemble/with-output.ts';
import { choiceOf } from '../context/session-view.ts';
import { digestOf } from './known-calls.ts';
import { readAnswers } from './read-answers.ts';

/** A program that may only say what it has printed is given no more than this, in ms. */
const LAST_WORDS_MS = 5_000;

/** How far a program came: `end` is absent while it waits, `running` where it never got a thread. */
export type Advanced =
  | { running: RunningProgram; end?: undefined }
  | { running: RunningProgram | undefined; end: ProgramEnd };

/** Brings a program up to date with its journal. */
export async function advance(deps: ActivityDeps, input: RunProgramInput, signal: AbortSignal): Promise<Advanced> {
  const kept = deps.programs.take(keyOf(input));
  const fits = kept !== undefined && kept.answered <= input.journal.length;
  if (kept && !fits) await deps.programs.close(kept);
  const slice = {
    budgetMs: Math.max(1, input.ending ? LAST_WORDS_MS : input.budgetMs),
    tooLong: `no end after ${input.timeoutMs}ms of work`,
    signal,
  };
  if (kept && fits && input.ending) return { running: kept, end: { kind: 'failed', ...input.ending } };
  const running = kept && fits ? kept : await begin(deps, input, firstSlice(deps, input, slice));
  if (!running) return { running, end: { kind: 'failed', failure: 'abort', message: 'the run was cancelled' } };
  try {
    await running.answer(await readAnswers(deps, input, running.answered), slice);
  } catch (error) {
    await deps.programs.close(running); // the database is away, say: the next attempt begins anew
    throw error;
  }
  return { running, ...(refusedStart(deps, input, running) ?? endOf(input, running)) } as Advanced;
}

/** A script whose agents nobody can make does not begin, if it is one at all. */
function refusedStart(
  { subagentProviders }: ActivityDeps,
  { script, known }: RunProgramInput,
  { state }: RunningProgram,
): { end: ProgramEnd } | undefined {
  if (!script || known.count > 0 || subagentProviders.has(script.row.provider)) return undefined;
  if (state.kind === 'ended' && isNoScript(state.end)) return undefined;
  const message = `AGENT_START: no provider "${script.row.provider}" makes agents here`;
  return { end: { kind: 'failed', failure: 'exception', message } };
}

function endOf({ known, ending }: RunProgramInput, running: RunningProgram): { end?: ProgramEnd } {
  if (ending) return { end: { kind: 'failed', ...ending } };
  const { state, calls } = running;
  if (state.kind === 'ended' && isCutOff(state.end)) return { end: state.end };
  if (calls.length < known.count || digestOf(calls, known.count) !== known.digest) {
    const message = `when it ran again it did not make the same first ${known.count} calls`;
    return { end: { kind: 'failed', failure: 'protocol', message } };
  }
  return state.kind === 'ended' ? { end: state.end } : {};
}

/** Ended from outside, wherever it was. */
const isCutOff = (end: ProgramEnd): boolean =>
  end.kind === 'failed' && ['abort', 'timeout', 'worker-exit'].includes(end.failure);

/** A script of agents may work as long as it likes, once it has shown that it comes to rest. */
function firstSlice({ settings }: ActivityDeps, { kind }: RunProgramInput, slice: SliceInput): SliceInput {
  const { syncTimeoutMs } = settings.workflow;
  if (kind !== 'workflow' || slice.budgetMs <= syncTimeoutMs) return slice;
  return { ...slice, budgetMs: syncTimeoutMs, tooLong: `the script came to no rest within ${syncTimeoutMs}ms` };
}

async function begin(
  deps: ActivityDeps,
  input: RunProgramInput,
  slice: SliceInput,
): Promise<RunningProgram | undefined> {
  const program = await programOf(deps, input);
  try {
    return await deps.programs.start(program, slice);
  } catch (error) {
    if (slice.signal.aborted) return undefined;
    throw error;
  }
}

async function programOf(deps: ActivityDeps, input: RunProgramInput): Promise<Program> {
  const { maxInstructions, maxOutputBytes, memoryBytes } = deps.settings.program;
  return {
    code: await deps.values.resolve(input.tenant, input.code),
    ...(await surroundingsOf(deps, input)),
    seed: input.startedAt,
    now: input.startedAt,
    limits: {
      memoryBytes,
      instructions: maxInstructions,
      outputBytes: maxOutputBytes,
      ...callLimits(deps, input),
    },
    name: input.kind,
  };
}

/** How many calls a program may make, in all and at a time; a script of agents counts them itself, and lets them wait. */
function callLimits({ settings }: ActivityDeps, { kind }: RunProgramInput): { calls: number; pendingCalls: number } {
  const { maxCalls: calls, maxPendingCalls: pendingCalls } = settings.program;
  const { maxTotalAgents: agents } = settings.workflow;
  return kind === 'workflow' ? { calls: agents, pendingCalls: agents } : { calls, pendingCalls };
}

/** What a program of this kind is written in and can call. */
async function surroundingsOf(
  deps: ActivityDeps,
  input: RunProgramInput,
): Promise<Pick<Program, 'language' | 'functions' | 'prelude'>> {
  switch (input.kind) {
    case 'run_code': {
      const { options } = await deps.facts.read(input);
      const view = withOutput(deps.registry.view(input, choiceOf(options, deps)), options);
      const names = [...view.tools.keys()].filter((name) => name !== input.kind).toSorted();
      return { language: 'typescript', functions: names.map((name) => ({ object: 'tools', name })) };
    }
    case 'workflow': {
      const { maxTotalAgents: maxAgents, maxItemsPerCall: maxItems } = deps.settings.workflow;
      const { args } = input.script ?? {};
      const prelude = workflowPreludeSource({ ...(args && { args }), maxAgents, maxItems });
      return { language: 'javascript', functions: [], prelude };
    }
  }
}

/** What a suspended program is kept under in this process. */
export function keyOf({ tenant, session, generation, turn, step, call }: RunProgramInput): string {
  return `${tenant}/${session}/${generation}/${programName(turn, step, call)}`;
}
