import type { ProgramEnd } from '@everturn/tools/kit';
import type { Program, RunningProgram, SliceInput } from '@everturn/tools/world';
import { callClaim, type RunProgramInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
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
  const running = kept && fits ? kept : await begin(deps, input, slice);
  if (!running) return { running, end: { kind: 'failed', failure: 'abort', message: 'the run was cancelled' } };
  try {
    await running.answer(await readAnswers(deps, input, running.answered), slice);
  } catch (error) {
    await deps.programs.close(running); // the database is away, say: the next attempt begins anew
    throw error;
  }
  return { running, ...endOf(input, running) } as Advanced;
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
  const { maxCalls, maxPendingCalls, maxInstructions, maxOutputBytes, memoryBytes } = deps.settings.program;
  return {
    code: await deps.values.resolve(input.tenant, input.code),
    ...(await surroundingsOf(deps, input)),
    seed: input.startedAt,
    now: input.startedAt,
    limits: {
      memoryBytes,
      instructions: maxInstructions,
      outputBytes: maxOutputBytes,
      calls: maxCalls,
      pendingCalls: maxPendingCalls,
    },
    name: input.kind,
  };
}

/** What a program of this kind is written in and can call. */
async function surroundingsOf(
  deps: ActivityDeps,
  input: RunProgramInput,
): Promise<Pick<Program, 'language' | 'functions' | 'prelude'>> {
  switch (input.kind) {
    case 'run_code': {
      const { options } = await deps.facts.read(input);
      const view = deps.registry.view(input, choiceOf(options, deps));
      const names = [...view.tools.keys()].filter((name) => name !== input.kind).toSorted();
      return { language: 'typescript', functions: names.map((name) => ({ object: 'tools', name })) };
    }
  }
}

/** What a suspended program is kept under in this process. */
export function keyOf({ tenant, session, generation, turn, step, call }: RunProgramInput): string {
  return `${tenant}/${session}/${generation}/${callClaim(turn, step, call.index)}`;
}
