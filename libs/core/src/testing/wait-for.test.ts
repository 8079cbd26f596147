import { expect, test } from 'vitest';
import { waitFor } from './wait-for.ts';

test('returns the first answer that is not undefined, null or false', async () => {
  const answers = [undefined, null, false, 0];
  expect(await waitFor(() => answers.shift(), { what: 'zero', everyMs: 1 })).toBe(0);
});

test('names what it waited for, and the last error', async () => {
  const broken = () => {
    throw new Error('not yet');
  };
  const failure = await waitFor(broken, { what: 'the moon', timeoutMs: 5, everyMs: 1 }).catch((error: Error) => error);
  expect(failure).toMatchObject({ code: 'TESTING_TIMEOUT', cause: new Error('not yet') });
  expect((failure as Error).message).toContain('still waiting for the moon after 5 ms');
});
