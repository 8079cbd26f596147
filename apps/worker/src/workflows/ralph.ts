import { CancellationScope, setHandler } from '@temporalio/workflow';
import type { RalphInput, RalphResult } from '../contract/index.ts';
import { openLoop } from './ralph/loop-state.ts';
import { runLoop } from './ralph/run-loop.ts';
import { failByValue } from './shared/fail-by-value.ts';
import { onCancel } from './shared/on-cancel.ts';
import { changePermissions, permissionsSignal } from './shared/permission-cell.ts';

/** A loop of agents, one after another, that work on one objective: it outlives every worker it runs on. */
export async function ralphWorkflow(input: RalphInput): Promise<RalphResult> {
  const loop = openLoop(input);
  setHandler(permissionsSignal, (update) => changePermissions(loop.permissions, update));
  const cancelled = onCancel();
  return CancellationScope.nonCancellable(() => {
    cancelled(() => loop.stop.request());
    return failByValue(() => runLoop(loop));
  });
}
