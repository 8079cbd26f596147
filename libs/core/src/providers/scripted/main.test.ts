import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { startScriptedModel } from './start-scripted-model.ts';

it('says its port, answers, and ends on SIGTERM though a client still reads', async () => {
  const child = spawn('node', [new URL('main.ts', import.meta.url).pathname], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { ready, port } = JSON.parse(line) as { ready: boolean; port: number };
  expect(ready).toBe(true);
  const body = JSON.stringify({
    model: 'scripted-faults',
    stream: true,
    messages: [{ role: 'user', content: 'stall' }],
  });
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: 'POST', body });
  expect(response.status).toBe(200);
  const reading = response.text().then(
    () => 'whole',
    () => 'broken off',
  );
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(await reading).toBe('broken off');
});

it('says what to do when its port is taken', async () => {
  await using model = await startScriptedModel();
  const child = spawn('node', [new URL('main.ts', import.meta.url).pathname], {
    env: { PATH: process.env.PATH, EVERTURN_SCRIPTED_PORT: String(model.port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
  expect(line).toContain('set EVERTURN_SCRIPTED_PORT to a free port or 0');
  expect(await once(child, 'exit')).toEqual([1, null]);
});
