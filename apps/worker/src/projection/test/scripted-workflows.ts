import {
  condition,
  continueAsNew,
  executeChild,
  ParentClosePolicy,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';

/** What a scripted workflow does, in order. */
export type Act =
  | { do: 'activity'; name: string; input: unknown }
  | { do: 'child'; workflowId: string; script: Act[]; onFailure?: Act[] }
  | { do: 'continue'; script: Act[] }
  /** Waits for ever: somebody will terminate it. */
  | { do: 'wait' };

const activities = proxyActivities<Record<string, (input: unknown) => Promise<unknown>>>({
  startToCloseTimeout: '20 s',
  retry: { initialInterval: 50, maximumAttempts: 5 },
});

/** Plays a script: stands in for the real workflows where only histories matter. */
export async function scripted(script: Act[]): Promise<void> {
  for (const act of script) await play(act);
}

async function play(act: Act): Promise<void> {
  switch (act.do) {
    case 'activity': {
      const input = act.name === 'openLog' ? { ...(act.input as object), runId: workflowInfo().runId } : act.input;
      await activities[act.name]?.(input);
      return;
    }
    case 'child':
      try {
        await executeChild(scripted, {
          workflowId: act.workflowId,
          args: [act.script],
          parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
        });
      } catch (error) {
        if (!act.onFailure) throw error;
        await scripted(act.onFailure);
      }
      return;
    case 'continue':
      return continueAsNew<typeof scripted>(act.script);
    case 'wait':
      await condition(() => false);
  }
}
