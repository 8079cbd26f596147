import { expect, test } from 'vitest';
import { program, slice } from '../../../test/programs.ts';
import { ProgramPool } from './index.ts';

test('what is kept under a key gives its thread back when another is kept there', async () => {
  const pool = new ProgramPool({ maxThreads: 2 });
  const start = () => pool.start(program('await tools.read({})'), slice());
  pool.keep('k', await start());
  pool.keep('k', await start());
  const both = await Promise.all([start(), start()]);
  expect(both.map(({ calls }) => calls.length)).toEqual([1, 1]);
  await Promise.all(both.map((running) => pool.close(running)));
  await pool.dispose();
});
