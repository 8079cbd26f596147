import { orchestrateDelegation } from '../kit/index.ts';
import { continuableSubagent } from './schema.ts';

/** Starts an agent that stays. */
export const orchestrateContinuableSubagent = orchestrateDelegation(continuableSubagent);
