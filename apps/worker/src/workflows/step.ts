import { CancellationScope, setHandler } from '@temporalio/workflow';
import type { StepInput, StepResult } from '../contract/index.ts';
import { Answers } from './shared/answers.ts';
import { failByValue } from './shared/fail-by-value.ts';
import { onCancel } from './shared/on-cancel.ts';
import { changePermissions, permissionsSignal, type PermissionCell } from './shared/permission-cell.ts';
import { runStep } from './step/run-step.ts';
import { Stop } from './shared/stop.ts';

/** One request to the model and the tools it asked for, as a workflow of its own. */
export async function stepWorkflow(input: StepInput): Promise<StepResult> {
  const answers = new Answers();
  const permissions: PermissionCell = input.permissions ? { now: input.permissions } : {};
  setHandler(permissionsSignal, (update) => changePermissions(permissions, update));
  const cancelled = onCancel();
  return CancellationScope.nonCancellable(() => {
    const stop = new Stop();
    cancelled(() => stop.request());
    return failByValue(() => runStep(input, { answers, stop, permissions }));
  });
}
