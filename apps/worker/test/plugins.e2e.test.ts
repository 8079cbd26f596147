import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey } from '@everturn/core/postgres';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { startRecordingServer, waitFor } from '@everturn/core/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { expectSound } from './support/expect-sound.ts';
import { logLines } from './support/log-lines.ts';
import { callsThenDone, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

const CODE = `
import { definePlugin, defineTool, implementTool, text } from '@everturn/worker/plugin';
const parameters = { type: 'object', properties: { name: { type: 'string', description: 'Whom.' } }, required: ['name'] };
const definition = defineTool({ name: 'greet', description: 'Says hello.', parameters, home: 'host', effect: 'idempotent' });
const parrot = {
  id: 'parrot', name: 'Parrot', models: () => [{ provider: 'parrot', id: 'grey', name: 'Grey' }],
  context: () => ({ contextWindow: 100000 }),
  async *stream({ messages }) {
    const block = { type: 'text', text: messages.flatMap(({ content }) => content.map((one) => one.text)).join('|') };
    yield { type: 'block-start', index: 0, blockType: 'text' };
    yield { type: 'text-delta', index: 0, text: block.text };
    yield { type: 'block-end', index: 0, block };
    yield { type: 'finish', reason: { kind: 'stop' } };
  },
};
export default definePlugin({
  name: 'greeting',
  providers: [{ id: 'parrot', name: 'Parrot', adapter: parrot }],
  skills: [{ name: 'greet-well', description: 'How one greets.', instructions: 'Bow first.' }],
  tools: [implementTool(definition, async ({ name }) => ({ content: [text('hello ' + name)] }))],
  setup: (scope) => scope.command({ name: 'curtsy', description: 'Bows.', handler: (input) => ({ kind: 'success', text: 'bowed' + input }) }),
});`;

let stack: Stack;
let packed: string;
beforeAll(async () => {
  stack = await startStack();
  await createApiKey(stack.database, { tenant: stack.tenant, admin: true });
  const source = join(stack.workspace, 'source');
  mkdirSync(join(source, 'package'), { recursive: true });
  const manifest = { name: 'greeter', version: '1.0.0', type: 'module', main: 'index.js' };
  writeFileSync(join(source, 'package/package.json'), JSON.stringify(manifest));
  writeFileSync(join(source, 'package/index.js'), CODE);
  packed = join(source, 'greeter.tgz');
  execFileSync('tar', ['-czf', packed, '-C', source, 'package']);
});
afterAll(() => stack?.stop());

const manage = (args: Record<string, string>) => ({ name: 'plugin_manager', arguments: args });
const answersOf = (events: { type: string; data: unknown }[]): string[] =>
  events.flatMap(({ type, data }) => {
    if (type !== 'tool/result') return [];
    const { content } = data as { content: { text: string }[] };
    return [content.map(({ text }) => text).join('')];
  });

const decided = new Set<string>();

async function decide(session: string, decision: 'allow' | 'deny'): Promise<string> {
  const asked = await waitFor(
    async () => {
      const path = `/v1/sessions/${session}/interactions?state=open`;
      const { body } = await stack.api.call<{ interactions: { id: string; request: { reason: string } }[] }>(
        'GET',
        path,
      );
      // An answer that is on its way leaves its question open for a moment.
      return body.interactions.find(({ id }) => !decided.has(id));
    },
    { what: 'somebody to be asked', timeoutMs: 30_000 },
  );
  decided.add(asked.id);
  await stack.api.call('POST', `/v1/sessions/${session}/approvals/${asked.id}`, { decision });
  return asked.request.reason;
}

const inOrder =
  (...answers: ScriptAnswer[]) =>
  (request: RequestView) =>
    answers[request.messages.filter(({ role }) => role === 'assistant').length] ?? { text: 'done' };

test('a bundle installed by approval adds a tool the next session calls; removed, it is gone; never: nobody is asked', async () => {
  const install = manage({ action: 'install_bundle', target: './source/greeter.tgz' });
  const managing = await stack.api.create({
    ...scripted(
      stack,
      'managing',
      inOrder({ toolCalls: [install] }, { toolCalls: [manage({ action: 'list_bundles' })] }),
    ),
    toolsets: ['plugins'],
    permissions: { preset: 'workspace-write' },
  });
  await stack.api.prompt(managing, 'install it');
  expect(await decide(managing, 'allow')).toBe(
    'escalate sandbox to danger-full-access: plugin_manager {"action":"install_bundle","target":"./source/greeter.tgz"}',
  );
  await decide(managing, 'deny');
  const events = await stack.api.turnEnded(managing);
  const [installed = '', listed = ''] = answersOf(events);
  expect(JSON.parse(installed)).toMatchObject({ application: 'applied', bundle: { name: 'greeter', enabled: true } });
  expect(listed).toBe('Error: the user rejected escalating this plugin management operation to "danger-full-access"');
  expect(logLines(events).filter((line) => line.startsWith('approval/'))).toEqual([
    'approval/asked',
    'approval/decided allowed-once',
    'approval/asked',
    'approval/decided rejected',
  ]);
  await expectSound(stack, managing);

  const offered: string[][] = [];
  const greeting = await stack.api.create(
    scripted(stack, 'greeting', (request) => {
      offered.push(request.tools);
      return callsThenDone({ name: 'greet', arguments: { name: 'world' } })(request);
    }),
  );
  await stack.api.prompt(greeting, 'greet');
  expect(answersOf(await stack.api.turnEnded(greeting))).toEqual(['hello world']);
  expect(offered[0]).toContain('greet');
  expect(offered[0]).not.toContain('plugin_manager');
  await expectSound(stack, greeting);

  const asking = { provider: 'parrot', model: 'grey', workspace: stack.workspace };
  const parroting = await waitFor(() => stack.api.create(asking).catch(() => undefined), { what: 'the provider' });
  await stack.api.prompt(parroting, 'please /greet-well world');
  const said = JSON.stringify(
    (await stack.api.turnEnded(parroting)).filter(({ type }) => type === 'assistant/message'),
  );
  expect(said).toMatch(/- greet-well: How one greets\..*\|please \/greet-well world\|.*Bow first\./s);
  await expectSound(stack, parroting);

  // Its command is known before there is a session, which then runs it as the first that it hears.
  const first = { content: '/curtsy low' };
  const refused = await stack.api.call('POST', '/v1/sessions', { ...asking, prompt: first.content });
  expect([refused.status, refused.body['message']]).toEqual([400, expect.stringContaining('"/curtsy" is a command')]);
  const bowing = await stack.api.create(asking);
  expect(await stack.api.call('POST', `/v1/sessions/${bowing}/prompts`, first)).toMatchObject({
    status: 200,
    body: { text: 'bowed low' },
  });

  const rejecting = await stack.api.create({
    ...scripted(stack, 'rejecting', callsThenDone(manage({ action: 'remove_bundle', target: 'greeter' }))),
    toolsets: ['plugins'],
    permissions: { sandboxMode: 'read-only', approvalPolicy: 'never' },
  });
  await stack.api.prompt(rejecting, 'remove it');
  expect(answersOf(await stack.api.turnEnded(rejecting)).join()).toContain('the user rejected');

  const removing = await stack.api.create({
    ...scripted(stack, 'removing', callsThenDone(manage({ action: 'remove_bundle', target: 'greeter' }))),
    toolsets: ['plugins'],
    permissions: { preset: 'danger-full-access' },
  });
  await stack.api.prompt(removing, 'remove it');
  const [removed = ''] = answersOf(await stack.api.turnEnded(removing));
  expect(JSON.parse(removed)).toMatchObject({ application: 'applied' });
  await stack.api.prompt(greeting, 'again');
  await stack.api.turnEnded(greeting, 2);
  expect(offered.at(-1)).not.toContain('greet');
});

test('a worker killed while npm works: outcome unknown, npm ended, nothing half-made left, and it works afterwards', async () => {
  const asked = Promise.withResolvers<void>();
  const silent = await startRecordingServer(() => asked.resolve());
  onTestFinished(silent.close);
  const options = { toolsets: ['plugins'], permissions: { preset: 'danger-full-access' } };
  const install = manage({ action: 'install_bundle', target: 'slow', registry: silent.url });
  const session = await stack.api.create({ ...scripted(stack, 'killed-npm', callsThenDone(install)), ...options });
  await stack.api.prompt(session, 'install');
  await asked.promise;
  const bundles = join(stack.dataDir, 'bundles');
  const staged = () => (existsSync(bundles) ? readdirSync(bundles).filter((name) => name.startsWith('.staging')) : []);
  expect(staged()).toHaveLength(1);
  await stack.worker().kill9();
  await stack.startWorker();
  expect(answersOf(await stack.api.turnEnded(session)).join()).toMatch(/unknown/i);
  expect(staged()).toEqual([]);
  await expectSound(stack, session);
  const list = scripted(stack, 'listing', callsThenDone(manage({ action: 'list_bundles' })));
  const next = await stack.api.create({ ...list, ...options });
  await stack.api.prompt(next, 'list');
  const [listed = ''] = answersOf(await stack.api.turnEnded(next));
  expect(JSON.parse(listed)).toEqual({ entries: [], total: 0, nextOffset: null });
});
