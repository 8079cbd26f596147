import { expect, test } from 'vitest';
import { readLateNul } from '../../../test/big-file.ts';

test('2 GB with NUL far in are read in constant memory, to the line that is asked for', async () => {
  const { text, grown } = await readLateNul(2 ** 31);
  expect(text).toContain('(line truncated to 2000 chars)');
  expect(text).toContain('(End of file - total 1 lines)');
  expect(grown).toBeLessThan(200 * 1024 * 1024);
});
