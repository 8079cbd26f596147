import { text } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { openWorkspace } from '../../../test/workspace.ts';
import { resultText, runBody, runCall, type ToolCallContext } from '../../kit/index.ts';
import { mcpToolBody } from './tool-body.ts';
import { journalOf, scripted } from '../../../test/mcp/open-servers.ts';
import type { McpServerOptions } from './server-options.ts';

async function setUp(options: McpServerOptions = scripted('s')) {
  const { world, context, call } = await openWorkspace({ mcp: { servers: [options], onNotice: () => undefined } });
  await world.mcp.start();
  const bodyOf = (raw: string) => {
    const tool = world.mcp.view()[0]?.tools.find((offered) => offered.raw === raw);
    if (!tool) throw new Error(`no tool ${raw}`);
    return mcpToolBody({ servers: world.mcp, server: 's', tool });
  };
  const run = (raw: string, args: unknown, over: Partial<ToolCallContext> = {}) =>
    runCall({ body: bodyOf(raw), args, context: context(over) });
  return { world, context, call, bodyOf, run };
}

test('a call under the raw name; arguments that are no object are none', async () => {
  const { run, bodyOf } = await setUp();
  expect(await run('a.b', { x: [1] })).toEqual({ content: [text('a.b {"x":[1]}')], isError: false });
  expect(resultText(await run('ok', 'nonsense'))).toBe('ok {}');
  expect(resultText(await run('ok', [1, 2]))).toBe('ok {}');
  expect(bodyOf('ok').definition).toMatchObject({ home: 'host', effect: 'at-most-once' });
  expect(bodyOf('ok').definition.concurrency).toBeUndefined();
});

test('a remote failure is a failed call with the remote text', async () => {
  const { run } = await setUp();
  expect(await run('fail', {})).toEqual({ content: [text('Error: it went wrong')], isError: true });
});

test('the answer of servers of before is read', async () => {
  const { run } = await setUp();
  expect(resultText(await run('legacy', {}))).toBe('{"old":true}');
});

test('structured output reaches programs and is checked', async () => {
  const { bodyOf, context } = await setUp();
  const parent = 'call-0' as ToolCallContext['callId'];
  const good = await runBody({ body: bodyOf('structured'), args: { n: 7 }, context: context({ parent }) });
  expect(good).toMatchObject({ value: { content: [{ type: 'text', text: '7' }], structuredContent: { n: 7 } } });
  expect(await runBody({ body: bodyOf('structured'), args: {}, context: context() })).toMatchObject({
    isError: true,
    error: { code: 'INVALID_TOOL_OUTPUT' },
    content: [text('Error: tool "mcp__s__structured" returned invalid output: "structuredContent.n" must be a number')],
  });
});

test('pictures are stored for a model that sees, all of them or none', async () => {
  const { run, world } = await setUp();
  const stored: string[] = [];
  const attachments = {
    admit: async (bytes: Uint8Array, mediaType: string) => {
      if (bytes.length < 5) throw new Error('no picture at all');
      return { bytes, mediaType };
    },
    store: async ({ mediaType }: { mediaType: string }) => (stored.push(mediaType), text(`kept ${mediaType}`)),
  };
  const over = (takesImages: boolean) => ({
    ports: { ...world.ports, attachments: attachments as never },
    route: async () => ({ provider: 'p', model: 'm', takesImages }),
  });
  expect(resultText(await run('images', { data: ['iVBORw0KGgo=', 'iVBORw0KGgo='] }, over(true)))).toContain(
    'kept image/png',
  );
  expect(stored).toHaveLength(2);
  expect(resultText(await run('images', { data: ['iVBORw0KGgo=', 'AAAA'] }, over(true)))).toContain(
    '[image unavailable: image/png; no picture at all; raw image data remains available to programmatic callers]',
  );
  expect(resultText(await run('images', { data: ['iVBORw0KGgo='] }, over(false)))).toContain(
    'the model takes text only',
  );
  expect(stored).toHaveLength(2);
});

test('f7: an answer of 3 MB is bounded, and all of it is kept', async () => {
  const { run } = await setUp();
  const shown = resultText(await run('big', {}));
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(50_000);
  expect(shown).toMatch(/Omitted 29\d{5} bytes\. Full formatted result stored at: /);
});

test('a cancelled call is aborted at once', async () => {
  const server = scripted('s');
  const { run } = await setUp(server);
  const stop = new AbortController();
  const running = run('stubborn', {}, { signal: stop.signal });
  await expect.poll(() => journalOf(server)).toContain('stubborn');
  stop.abort();
  const began = performance.now();
  expect(await running).toMatchObject({ isError: true, error: { code: 'ABORTED' } });
  expect(performance.now() - began).toBeLessThan(2_000);
});

test('resources are listed by page or all together, and read without their binary parts', async () => {
  const { call } = await setUp();
  const all = await call('list_mcp_resources', { server: 's' });
  expect(all.text).toMatch(/^MCP server: s\n\{/);
  expect(JSON.parse(all.text.slice('MCP server: s\n'.length))).toEqual({
    resources: [0, 1, 2].map((n) => ({ uri: `note://${n}`, name: `note ${n}` })),
  });
  const page = await call('list_mcp_resources', { server: 's', cursor: '1' });
  expect(JSON.parse(page.text.slice('MCP server: s\n'.length))).toMatchObject({
    resources: [{ uri: 'note://1' }, { uri: 'note://2' }],
  });
  expect((await call('list_mcp_resource_templates', { server: 's' })).text).toContain('"uriTemplate": "note://{n}"');
  const { text: read } = await call('read_mcp_resource', { server: 's', uri: 'note://1' });
  expect(read).toContain('the text of note://1');
  expect(read).toContain('[binary resource: 8 base64 characters; available to programmatic callers]');
  expect(read).not.toContain('AAECAw==');
});

test.each(['list_mcp_resources', 'list_mcp_resource_templates', 'read_mcp_resource'])(
  '%s refuses a server that is not there',
  async (name) => {
    const { call } = await setUp();
    expect(await call(name, { server: 'other', uri: 'x' })).toEqual({
      text: `Error: MCP resource server "other" is unavailable in this agent's scope`,
      isError: true,
    });
  },
);
