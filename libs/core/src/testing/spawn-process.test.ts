import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { spawnProcess } from './spawn-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'everturn-spawn-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function script(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const server = script(
  'server.ts',
  `
  process.on('SIGTERM', () => process.exit(7));
  setInterval(() => {}, 1000);
  console.log('{"level":"info"}');
  console.error('starting');
  console.log(JSON.stringify({ ready: true, greeting: process.env.GREETING }));
`,
);

test('waits for the ready line, keeps the logs, stops with the status', async () => {
  const running = await spawnProcess(server, { GREETING: 'hello' });
  expect(running.ready).toEqual({ ready: true, greeting: 'hello' });
  expect(running.logs()).toContain('{"level":"info"}');
  expect(await running.stop()).toEqual({ code: 7, signal: null });
  expect(running.logs()).toContain('starting');
});

test('kill9 ends it without asking', async () => {
  const running = await spawnProcess(server);
  expect(await running.kill9()).toEqual({ code: null, signal: 'SIGKILL' });
});

test('a process that ends before it is ready fails with its output', async () => {
  const file = script('broken.ts', `console.error('no database'); process.exit(3);`);
  const failure = await spawnProcess(file).catch((error: Error) => error);
  expect(failure).toMatchObject({ code: 'TESTING_PROCESS_FAILED' });
  expect((failure as Error).message).toContain('ended (3) before it was ready');
  expect((failure as Error).message).toContain('no database');
});
