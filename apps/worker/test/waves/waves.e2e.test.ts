import { describe } from 'vitest';
import { testWave } from './test-wave.ts';

describe('random faults', () => {
  for (const wave of [1, 2]) testWave(wave);
});
