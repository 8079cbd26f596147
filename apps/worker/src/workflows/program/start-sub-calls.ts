import { abortedResult } from '@everturn/tools/kit';
import { isWider, type AuthoredDataOf, type SubCallIdentity } from '@everturn/core/domain';
import { finish, type CallRun } from '../step/call-run.ts';
import { isGuarded, escalateCall } from '../step/escalate-call.ts';
import { policeCall } from '../step/police-call.ts';
import { runBody } from '../step/run-body.ts';
import { listens } from '../step/step-state.ts';
import type { ProgramState } from './program-state.ts';

/**
 * Starts calls of a program: records them, asks policy about one after another, and sets their bodies going. Returns at
 * once; no further call starts before this lane is free again.
 */
export function startSubCalls(program: ProgramState, runs: readonly CallRun[]): void {
  const { step } = program;
  const listened = listens(step, 'tools/pre-execute') || listens(step, 'tools/guard');
  const policed = listened || runs.some((run) => isGuarded(step, run));
  const starting = policed ? runs.slice(0, 1) : runs;
  const lone = starting.length === 1 && step.runs.every(({ state }) => state === 'waiting');
  for (const run of starting) open(program, run);
  program.lane = 'busy';
  void (policed ? startPoliced(program, starting) : startAll(program, starting, lone)).then(
    () => (program.lane = 'free'),
    (error: Error) => {
      program.lane = 'free';
      program.over ??= { kind: 'thrown', error };
      for (const run of starting) if (run.state === 'running') run.state = 'committed';
    },
  );
}

async function startAll(program: ProgramState, runs: readonly CallRun[], lone: boolean): Promise<void> {
  if (!lone) await program.step.writer.flush();
  for (const run of runs) launch(program, run);
}

async function startPoliced(program: ProgramState, runs: readonly CallRun[]): Promise<void> {
  await program.step.writer.flush();
  for (const run of runs) {
    if ((await policeCall(program.step, run)) === 'settled') continue;
    if ((await escalateCall(program.step, run)) === 'clear') launch(program, run);
  }
}

function open(program: ProgramState, run: CallRun): void {
  program.started += 1;
  run.state = 'running';
  const { granted } = program.input;
  const { now } = program.step.permissions;
  // Whichever is wider: a grant takes nothing from the session's own mode.
  if (granted && now && isWider(granted, now.sandbox)) run.granted = granted;
  run.called = program.step.writer.append('tool/ptc-dispatch-start', identityOf(program, run));
}

function launch({ step }: ProgramState, run: CallRun): void {
  if (step.stop.requested) return finish(run, abortedResult('before-dispatch'));
  void runBody(step, run).then(
    (outcome) => finish(run, outcome),
    (error: Error) => {
      run.end = { kind: 'thrown', error };
      run.state = 'finished';
    },
  );
}

/** Whose call it is, and what it says. */
export function identityOf(
  { input }: ProgramState,
  { call }: CallRun,
): SubCallIdentity & AuthoredDataOf<'tool/ptc-dispatch-start'> {
  const { callId } = input.call;
  const identity = { rootCallId: callId, parentCallId: callId, subCallId: call.callId, name: call.name };
  return { ...identity, arguments: call.arguments } as SubCallIdentity & AuthoredDataOf<'tool/ptc-dispatch-start'>;
}
