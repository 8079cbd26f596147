import { describe } from 'vitest';
import { testWave } from './test-wave.ts';

/** Seeds that are the same every time: what lands is judged by the change, the long run looks for new faults. */
const SEEDS = [11, 22];

describe('random faults', () => {
  for (const [index, seed] of SEEDS.entries()) testWave(index + 1, seed);
});
