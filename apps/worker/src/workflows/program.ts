import { CancellationScope, setHandler } from '@temporalio/workflow';
import type { ProgramInput, ProgramResult } from '../contract/index.ts';
import { runProgram } from './program/run-program.ts';
import { Answers } from './shared/answers.ts';
import { failByValue } from './shared/fail-by-value.ts';
import { onCancel } from './shared/on-cancel.ts';
import { changePermissions, permissionsSignal, type PermissionCell } from './shared/permission-cell.ts';

/** A program of the model and the calls it makes, as a workflow of its own: it outlives every worker it runs on. */
export async function programWorkflow(input: ProgramInput): Promise<ProgramResult> {
  const answers = new Answers();
  const permissions: PermissionCell = input.permissions ? { now: input.permissions } : {};
  setHandler(permissionsSignal, (update) => changePermissions(permissions, update));
  const cancelled = onCancel();
  return CancellationScope.nonCancellable(() =>
    failByValue(() => runProgram(input, { answers, permissions }, cancelled)),
  );
}
