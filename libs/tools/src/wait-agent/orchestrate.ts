import { askTeam, orchestrateTool, USUAL_WAIT_MS } from '../kit/index.ts';
import { waitAgent } from './schema.ts';

/** Answers at the next change, or when the time has run out. */
export const orchestrateWaitAgent = orchestrateTool(waitAgent, ({ timeout_ms: timeoutMs = USUAL_WAIT_MS }, call) =>
  askTeam(call, { operation: 'wait', timeoutMs }),
);
