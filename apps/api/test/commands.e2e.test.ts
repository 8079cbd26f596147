import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from '../../worker/test/support/expect-sound.ts';
import { bash, callsThenDone, scripted } from '../../worker/test/support/model-scripts.ts';
import { startStack, type Stack } from '../../worker/test/support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

const at = (session: string, rest: string) => `/v1/sessions/${session}${rest && `/${rest}`}`;
const command = async (session: string, line: string, headers: Record<string, string> = {}) => {
  const { status, body } = await stack.api.call('POST', at(session, 'commands'), { command: line }, headers);
  return { status, ...body };
};
const prompt = async (session: string, content: string) => {
  const { status, body } = await stack.api.call('POST', at(session, 'prompts'), { content });
  return { status, ...body };
};
/** A log without what is fixed at creation, its chunks and the ends of turns. */
const outline = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((event) => {
    switch (event.type) {
      case 'turn/start':
        return [`turn ${event.data.trigger.kind}`];
      case 'command/run':
        return [`run /${event.data.name}${event.data.args ?? ''}`];
      case 'command/done':
        return [`${event.data.kind}: ${event.data.text}`];
      case 'plan/mode':
        return [`plan ${event.data.active ? 'on' : 'off'}`];
      case 'model/choice':
        return [`model ${event.data.model}`];
      case 'feedback/record':
        return [`feedback ${event.data.text}`];
      case 'permission/preset':
        return [`preset ${event.data.preset}`];
      case 'user/message':
        return [`user ${event.data.content.map((block) => ('text' in block ? block.text : '')).join('')}`];
      case 'request/header':
        return [`header ${event.data.header.config.model}`];
      default:
        return [];
    }
  });

const idle = (session: string) =>
  waitFor(async () => (await stack.api.call('GET', at(session, ''))).body['status'] === 'idle', { what: 'rest' });

test('commands are run and logged, the model sees nothing of them, and their bad use changes nothing', async () => {
  const options = scripted(stack, 'commanded', () => ({ text: 'done' }));
  stack.model.script('commanded-other', () => ({ text: 'other' }));
  const session = await stack.api.create({ ...options, permissions: { preset: 'workspace-write' } });
  const { body } = await stack.api.call<{ commands: { name: string }[] }>('GET', at(session, 'commands'));
  expect(body.commands.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['compact', 'export', 'feedback', 'goal', 'model', 'permission', 'plan']),
  );
  expect(await command(session, '/feedback good so far')).toMatchObject({
    status: 200,
    kind: 'success',
    text: 'recorded',
  });
  expect(await command(session, '/feedback')).toMatchObject({ status: 200, kind: 'error' });
  expect(await command(session, '/permission')).toMatchObject({
    text: 'current preset workspace-write (available: read-only, workspace-write, danger-full-access)',
  });
  expect(await command(session, '/permission root')).toMatchObject({
    kind: 'error',
    text: 'unknown preset "root" (available: read-only, workspace-write, danger-full-access)',
  });
  expect(await command(session, '/permission read-only')).toMatchObject({ kind: 'success', text: 'preset read-only' });
  expect(await command(session, '/model')).toMatchObject({ text: expect.stringContaining('scripted/commanded') });
  expect(await command(session, '/model scripted/commanded-other')).toMatchObject({
    text: 'model scripted/commanded-other',
  });
  const key = { 'idempotency-key': 'once' };
  const first = await command(session, '/plan', key);
  expect(first).toMatchObject({ kind: 'success', text: 'plan mode on' });
  // Sent again it is the same request, and is answered by the log.
  await stack.api.until(session, 'its end', (events) => outline(events).includes('success: plan mode on'));
  expect(await command(session, '/plan', key)).toEqual(first);
  expect(await command(session, '/plan')).toMatchObject({ text: 'plan mode is on already' });

  expect(await command(session, 'plan')).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  expect(await prompt(session, '/feedback')).toMatchObject({ status: 400, code: 'COMMAND_ERROR' });
  const create = await stack.api.call('POST', '/v1/sessions', { prompt: '/plan it' });
  expect([create.status, create.body['message']]).toEqual([400, expect.stringContaining('body.prompt')]);
  expect((await stack.api.call('GET', '/v1/sessions/nobody/commands')).status).toBe(404);

  // What begins with a space, or is a path, is a message.
  expect((await prompt(session, ' /plan off')).status).toBe(202);
  await stack.api.until(session, 'the message', (events) => outline(events).includes('user  /plan off'));
  await idle(session);
  const unknown = await prompt(session, '/nonsense now');
  expect(unknown).toMatchObject({ status: 400, code: 'UNKNOWN_COMMAND', message: expect.stringContaining('/plan') });
  expect(await prompt(session, '/plan off')).toMatchObject({ status: 200, kind: 'success', text: 'plan mode off' });
  const planned = await prompt(session, '/plan rename it');
  expect(planned).toMatchObject({ status: 200, text: 'plan mode on', promptId: expect.any(String) });
  const events = await stack.api.until(
    session,
    'the plan',
    (all) => all.at(-1)?.type === 'turn/end' && outline(all).includes('user rename it') && all,
  );
  const lines = outline(events);
  expect(lines.slice(0, 4)).toEqual([
    'turn command',
    'preset workspace-write',
    'run /feedback good so far',
    'feedback good so far',
  ]);
  expect(lines.slice(lines.indexOf('run /model scripted/commanded-other'))).toEqual([
    'run /model scripted/commanded-other',
    'model commanded-other',
    'success: model scripted/commanded-other',
    'turn command',
    'run /plan',
    'plan on',
    'success: plan mode on',
    'turn command',
    'run /plan',
    'success: plan mode is on already',
    'turn command',
    'run /feedback',
    'error: say what you think: /feedback <text>',
    'turn message',
    'user  /plan off',
    'header commanded-other',
    'turn command',
    'run /plan off',
    'plan off',
    'success: plan mode off',
    'turn command',
    'run /plan rename it',
    'plan on',
    'success: plan mode on',
    'turn message',
    // Its header is that of the message before, which was sent in plan mode, too.
    'user rename it',
  ]);
  const seen = await stack.api.call('GET', at(session, 'messages'));
  expect(JSON.stringify(seen.body)).not.toContain('good so far');
  expect(await command(session, '/export')).toMatchObject({ text: `GET /v1/sessions/${session}/export` });
  await expectSound(stack, session);
});

test('a goal is set, shown, changed and let go by command; a history is shortened by one', async () => {
  const name = 'commanded-goal';
  let rounds = 0;
  const session = await stack.api.create(
    scripted(stack, name, ({ purpose, lastUser }) => {
      if (purpose === 'compaction') return { text: '## Current Work\n- shipping' };
      if (!lastUser.startsWith('<goal_round>')) return { text: 'noted '.repeat(400) };
      rounds += 1;
      return { text: 'worked', hold: { gate: name, afterDeltas: 0 } };
    }),
  );
  for (const [turn, words] of ['one', 'two', 'three'].entries()) {
    await stack.api.prompt(session, words);
    await stack.api.turnEnded(session, turn + 1);
  }
  const shorten = async () =>
    (await stack.api.call('POST', at(session, 'commands'), { command: '/compact' })).body['kind'] === 'success';
  await waitFor(shorten, { what: 'the session to rest' });
  const shortened = await stack.api.until(
    session,
    'the summary',
    (events) => outline(events).includes('success: the history is being shortened') && events,
  );
  const summary = shortened.find((event) => event.type === 'compact/summary');
  expect(JSON.stringify(summary?.data)).toContain('- shipping');

  expect(await command(session, '/goal')).toMatchObject({ text: 'no goal; /goal <objective> sets one' });
  expect(await command(session, '/goal pause')).toMatchObject({
    kind: 'error',
    text: expect.stringMatching(/^GOAL_NOT_FOUND/),
  });
  expect(await command(session, '/goal ship it')).toMatchObject({ text: 'goal active, round 0/256: ship it' });
  await stack.model.held(name);
  expect(await command(session, '/goal another')).toMatchObject({ kind: 'error' });
  expect(await command(session, '/goal edit ship it all')).toMatchObject({
    text: expect.stringMatching(/: ship it all$/),
  });
  expect(await command(session, '/goal Pause')).toMatchObject({ text: expect.stringMatching(/^goal paused, round/) });
  stack.model.release(name);
  await idle(session);
  expect(rounds).toBe(1);
  expect((await stack.api.call('GET', at(session, 'goal'))).body).toMatchObject({
    goal: { objective: 'ship it all', phase: 'paused', revision: 3 },
    activation: 'disarmed',
  });
  expect(await command(session, '/goal clear')).toMatchObject({ kind: 'success' });
  expect(await command(session, '/goal status')).toMatchObject({ text: 'no goal; /goal <objective> sets one' });
  await idle(session);
  await expectSound(stack, session);
});

test('a log is downloaded whole as a ZIP', async () => {
  const session = await stack.api.create({ ...scripted(stack, 'exported', () => ({ text: 'done' })), prompt: 'go' });
  await stack.api.turnEnded(session);
  const response = await stack.api.fetch(at(session, 'export'));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const file = join(stack.workspace, 'session.zip');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const read = (name: string) =>
    execFileSync('python3', [
      '-c',
      'import sys, zipfile; sys.stdout.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())',
      file,
      name,
    ]).toString();
  const lines = read('events.jsonl').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as SessionEvent)).toEqual(await stack.api.events(session));
  expect(JSON.parse(read('session.json'))).toMatchObject({ header: { id: session } });
  expect((await stack.api.call('GET', '/v1/sessions/nobody/export')).status).toBe(404);
});

test('a command and a choice of model reach a turn that runs: written into it, and held from its next step on', async () => {
  const name = 'busy-commands';
  stack.model.script(`${name}-2`, () => ({ text: 'by the other' }));
  const session = await stack.api.create({
    ...scripted(stack, name, (request) => ({
      ...callsThenDone(bash('true'))(request),
      hold: { gate: name, afterDeltas: 0 },
    })),
    prompt: 'go',
  });
  await stack.model.held(name);
  expect(await command(session, '/feedback while it runs')).toMatchObject({ status: 200, text: 'recorded' });
  expect(await command(session, '/compact')).toMatchObject({ status: 200, kind: 'error' });
  const choose = (model: string) => stack.api.call('PUT', at(session, 'model'), { provider: 'scripted', model });
  expect((await choose(`${name}-2`)).body).toMatchObject({ result: 'queued' });
  const other = await stack.api.call('PUT', at(session, 'model'), { provider: 'nobody', model: 'x' });
  expect([other.status, other.body['code']]).toEqual([400, 'UNKNOWN_PROVIDER']);
  await stack.api.until(
    session,
    'both commands',
    (events) => events.filter(({ type }) => type === 'command/done').length === 2,
  );
  stack.model.release(name);
  const events = await stack.api.turnEnded(session);
  const lines = outline(events);
  expect(lines.filter((line) => line.startsWith('turn'))).toEqual(['turn message']);
  expect(lines.slice(-2)).toEqual([`model ${name}-2`, `header ${name}-2`]);
  expect((await stack.api.call('GET', at(session, 'model'))).body).toMatchObject({
    provider: 'scripted',
    model: `${name}-2`,
    source: 'chosen',
  });
  await expectSound(stack, session);
});
