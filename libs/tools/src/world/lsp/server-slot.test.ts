import { expect, test } from 'vitest';
import type { LspQuery } from '../../kit/index.ts';
import { ServerSlot, type ServerSlotInput } from './server-slot.ts';

test('whoever waits for a server that is stopped meanwhile is told, and nothing is started for them', async () => {
  const first = Promise.withResolvers<never>();
  let begun = 0;
  const slot = new ServerSlot({
    limits: { startMs: 10_000, restMs: 0, idleMs: 10_000, graceMs: 0 },
    makeRoom: () => {
      begun += 1;
      return first.promise;
    },
  } as unknown as ServerSlotInput);
  const ask = () => slot.ask({ signal: new AbortController().signal } as LspQuery).catch((error: unknown) => error);
  const both = [ask(), ask()];
  await expect.poll(() => begun).toBe(1);
  await slot.stop();
  first.reject(new Error('no room'));
  expect(await Promise.all(both)).toMatchObject([{ message: 'no room' }, { code: 'LSP_DISPOSED' }]);
  expect(await ask()).toMatchObject({ code: 'LSP_DISPOSED' });
  expect(begun).toBe(1);
});
