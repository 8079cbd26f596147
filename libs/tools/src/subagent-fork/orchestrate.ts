import { orchestrateDelegation } from '../kit/index.ts';
import { subagentFork } from './schema.ts';

/** Runs the task in an agent that knows the finished turns. */
export const orchestrateSubagentFork = orchestrateDelegation(subagentFork);
