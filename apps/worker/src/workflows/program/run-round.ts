import type { ProgramFailure } from '@everturn/tools/kit';
import type { Commit, RunProgramInput, RunProgramResult } from '../../contract/index.ts';
import { runProgram } from '../proxies.ts';
import { listens, stepRef } from '../step/step-state.ts';
import type { ProgramState } from './program-state.ts';
import { scriptSaid } from './script-events.ts';

/** Hands the program what was answered since it was last heard of, and takes up what it calls then; returns at once. */
export function runRound(program: ProgramState): void {
  const { step } = program;
  program.round = 'running';
  program.handed = program.journal.length;
  const input = roundInput(program);
  void step.stop
    .effect(() => step.writer.carry((commit) => runProgram({ ...input, commit }, summary(program))))
    .then((result) => {
      program.round = 'idle';
      if (result.kind === 'failed') program.over ??= { kind: 'thrown', error: result.error };
      if (result.kind !== 'returned') return;
      const { value } = result;
      step.registry = value.registry;
      hear(program, value);
      if (value.kind === 'ended') return void (program.over ??= value);
      program.code = value.code;
      program.known = value.known;
      program.told = value.known.count;
      for (const call of value.calls) step.runs.push({ call, state: 'waiting' });
    });
}

/** The end of a program that did not come to one by itself, told with what it had printed. */
export async function lastRound(program: ProgramState, ending: { failure: ProgramFailure; message: string }) {
  const { step } = program;
  const input = roundInput(program);
  const result = await step.writer.carry((commit: Commit) =>
    runProgram({ ...input, ending, commit }, summary(program)),
  );
  step.registry = result.registry;
  hear(program, result);
  return result.kind === 'ended' ? result.outcome : undefined;
}

function hear(program: ProgramState, { news }: Pick<RunProgramResult, 'news'>): void {
  if (!news) return;
  program.heard = news.heard;
  scriptSaid(program, news.said);
}

function roundInput(program: ProgramState): Omit<RunProgramInput, 'commit'> {
  const { input, step, journal, known, told, code, startedAt, time } = program;
  return {
    ...stepRef(step.input),
    turn: input.turn,
    step: input.step,
    call: input.call,
    kind: input.kind,
    ...(step.assembly.offer && { offer: step.assembly.offer }),
    code,
    startedAt,
    timeoutMs: input.timeoutMs,
    ...(input.script && { script: input.script, heard: program.heard }),
    budgetMs: input.script ? input.timeoutMs : Math.max(0, input.timeoutMs - time.spentMs(Date.now())),
    journal: [...journal],
    known,
    told,
    spill: listens(step, 'tools/post-execute') ? 'after-listeners' : 'now',
  };
}

const summary = ({ input, journal }: ProgramState): string => `${input.kind}: after ${journal.length} answers`;
