import { errorResult, ToolError } from '@everturn/tools/kit';
import type { ToolOutcome } from '../../contract/index.ts';

/** A side effect whose worker was lost while it ran: it may have happened. */
export function unknownOutcome(): ToolOutcome {
  return errorResult(
    new ToolError(
      'TOOL_OUTCOME_UNKNOWN',
      'the call was started and its outcome is unknown; retry it only if it is read-only or idempotent, ' +
        'otherwise verify first or ask',
    ),
  );
}

/** A call that needs state which an earlier process of this machine held. */
export function stateLost(name: string): ToolOutcome {
  return errorResult(
    new ToolError(
      'TOOL_STATE_LOST',
      `the worker was restarted and the state "${name}" works with is lost; nothing ran. Begin anew`,
    ),
  );
}
