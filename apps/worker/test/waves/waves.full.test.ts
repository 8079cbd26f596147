import { describe } from 'vitest';
import { testWave } from './test-wave.ts';

describe('random faults, more of them', () => {
  for (let wave = 1; wave <= 10; wave += 1) testWave(wave);
});
