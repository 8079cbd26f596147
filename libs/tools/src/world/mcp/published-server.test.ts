import { createServer, type AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { held, openServers, scripted } from '../../../test/mcp/open-servers.ts';

const PROGRAM = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The published server behind HTTP, on a port of ours; ended with the test. */
async function startHttp(port: number) {
  const child = spawn(process.execPath, [PROGRAM, 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: 'ignore',
  });
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  };
  onTestFinished(end);
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/mcp`).catch(() => undefined)) !== undefined, {
    what: 'the server to listen',
  });
  return { end };
}

test('the published server over standard streams: tools, images, resources, a long call cancelled', async () => {
  const transport = { kind: 'stdio', command: process.execPath, args: [PROGRAM, 'stdio'], env: {} } as const;
  const { mcp, call } = await openServers([scripted('everything', '', { transport })]);
  expect(mcp.view()[0]).toMatchObject({ state: 'connected', resources: true });
  expect(mcp.view()[0]?.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mcp__everything__echo', 'mcp__everything__get-sum', 'mcp__everything__get-tiny-image']),
  );
  expect(await call('everything', 'echo', { message: 'hi' })).toBe('Echo: hi');
  const signal = new AbortController().signal;
  const { items } = await mcp.listResources({ server: 'everything', signal });
  expect(items.length).toBeGreaterThan(0);
  const templates = await mcp.listResourceTemplates({ server: 'everything', signal });
  expect(JSON.stringify(templates.items)).toContain('uriTemplate');
  const read = await mcp.readResource({ server: 'everything', uri: items[0]?.['uri'] as string, signal });
  expect(JSON.stringify(read)).toContain('contents');
  const stop = new AbortController();
  const long = call('everything', 'trigger-long-running-operation', { duration: 30, steps: 30 }, stop.signal);
  stop.abort();
  await expect(long).rejects.toMatchObject({ name: 'AbortError' });
  expect(await call('everything', 'get-sum', { a: 2, b: 3 })).toContain('5');
});

test('the published server over HTTP: a restart is noticed, and what a new session needs is done again', async () => {
  const port = await freePort();
  const first = await startHttp(port);
  const { mcp, call } = await openServers([
    scripted('far', '', {
      transport: { kind: 'streamable-http', url: held(`http://127.0.0.1:${port}/mcp`), headers: {} },
    }),
  ]);
  expect(mcp.view()[0]).toMatchObject({ transport: 'streamable-http', state: 'connected' });
  expect(await call('far', 'echo', { message: 'one' })).toBe('Echo: one');
  const long = call('far', 'trigger-long-running-operation', { duration: 30, steps: 30 }).catch(
    (error: Error) => error,
  );
  expect(await call('far', 'echo', { message: 'meanwhile' })).toBe('Echo: meanwhile'); // so the long one has begun
  const began = performance.now();
  await first.end();
  expect(await long).toMatchObject({
    message: expect.stringContaining('MCP server "far" was lost while it worked on this call'),
  });
  expect(performance.now() - began).toBeLessThan(10_000);
  await startHttp(port);
  expect(await call('far', 'echo', { message: 'two' })).toBe('Echo: two');
});

test('nobody at the address: the start goes on, and the name of the server is told', async () => {
  const port = await freePort();
  const { mcp, notices } = await openServers([
    scripted('far', '', {
      transport: {
        kind: 'streamable-http',
        url: held(`http://127.0.0.1:${port}/mcp`),
        headers: { A: held('Bearer hush-hush-1') },
      },
      secrets: [held('Bearer hush-hush-1')],
    }),
  ]);
  expect(mcp.view()[0]?.state).toBe('reconnecting');
  expect(notices[0]).toMatch(/^MCP server "far": fetch failed: connect ECONNREFUSED/);
  expect(notices.join()).not.toContain('hush');
});
