import type { Benchmark } from '../benchmark.ts';
import { cancel } from './cancel.ts';
import { firstByte } from './first-byte.ts';
import { growthOfSession } from './growth-of-session.ts';
import { growthOfTurn } from './growth-of-turn.ts';
import { idle } from './idle.ts';
import { recovery } from './recovery.ts';
import { roundTrips } from './round-trips.ts';
import { search } from './search.ts';
import { step } from './step.ts';
import { streaming } from './streaming.ts';
import { tools } from './tools.ts';

/** Every benchmark, in the order of a whole run: what fills the servers comes late. */
export const benchmarks: readonly Benchmark[] = [
  step,
  roundTrips,
  firstByte,
  streaming,
  cancel,
  tools,
  recovery,
  growthOfTurn,
  growthOfSession,
  idle,
  search,
];
