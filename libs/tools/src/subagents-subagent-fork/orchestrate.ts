import { orchestrateDelegation } from '../kit/index.ts';
import { continuableSubagentFork } from './schema.ts';

/** Starts an agent that knows the finished turns and stays. */
export const orchestrateContinuableSubagentFork = orchestrateDelegation(continuableSubagentFork);
