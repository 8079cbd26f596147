import { orchestrateDelegation } from '../kit/index.ts';
import { subagent } from './schema.ts';

/** Runs the task in an agent with an empty context. */
export const orchestrateSubagent = orchestrateDelegation(subagent);
