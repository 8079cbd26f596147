import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { choosePort, isFree, isListening } from './port.ts';

test('a taken port gives way to one below the ephemeral range', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  expect(await isListening(port)).toBe(true);
  expect(await isFree(port)).toBe(false);
  const chosen = await choosePort(port);
  expect(chosen).not.toBe(port);
  expect(chosen).toBeLessThan(32_768);
  expect(await choosePort(chosen)).toBe(chosen);
  server.close();
});
