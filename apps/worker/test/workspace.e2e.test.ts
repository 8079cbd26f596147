import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

test('a project speaks to the model: instructions first, skills as they come and go', async () => {
  const rules = join(stack.workspace, 'AGENTS.md');
  const skill = (name: string) => join(stack.workspace, '.agents/skills', `${name}.md`);
  const write = (name: string) =>
    writeFileSync(skill(name), `---\nname: ${name}\ndescription: to ${name}\n---\nHow to ${name}.`);
  mkdirSync(join(stack.workspace, '.agents/skills'), { recursive: true });
  writeFileSync(rules, 'Be brief.');
  write('sweep');
  const sent: string[][] = [];
  const session = await stack.api.create(
    scripted(stack, 'workspace', ({ messages, purpose, steps, lastUser }) => {
      if (purpose === 'compaction') return { text: '- so it was' };
      sent.push(messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))));
      return lastUser.includes('sweep it') && steps.length === 0
        ? { toolCalls: [{ name: 'skill', arguments: { name: 'sweep' } }] }
        : { text: 'ok' };
    }),
  );
  await stack.api.prompt(session, 'sweep it');
  const first = await stack.api.turnEnded(session);
  expect(resultText(first, 'call_1_1')).toContain('<skill_instructions>\nHow to sweep.\n');
  expect(sent[0]?.[1]).toContain('<instructions path="AGENTS.md">\nBe brief.\n</instructions>');
  expect(sent[0]?.[2]).toContain('- sweep: to sweep');
  expect(sent[0]?.[3]).toBe('sweep it');
  const listed = async () =>
    (await stack.api.call<{ skills: { name: string }[] }>('GET', `/v1/sessions/${session}/skills`)).body.skills.map(
      ({ name }) => name,
    );
  expect(await listed()).toEqual(['sweep']);

  // What requests begin with stays as it was; a changed list is told, and so is a skill that is called for.
  writeFileSync(rules, 'Be long.');
  write('mop');
  await stack.api.prompt(session, `now /mop and /nothing ${'x'.repeat(2_000)}`);
  const second = await stack.api.turnEnded(session, 2);
  expect(logLines(second).slice(-8)).toEqual([
    'turn/start',
    'user/message',
    'context/message',
    'context/message',
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end completed',
  ]);
  const request = sent.at(-1) ?? [];
  expect(request.slice(0, 4)).toEqual(sent[0]);
  expect(request.slice(-2)).toEqual([
    expect.stringContaining('- mop: to mop\n- sweep: to sweep'),
    expect.stringContaining('How to mop.'),
  ]);
  expect(await listed()).toEqual(['mop', 'sweep']);

  // Everything said can be found again, also what the model no longer sees.
  const search = async (path: string) => (await stack.api.call<{ hits: unknown[] }>('GET', path)).body.hits;
  expect(await search('/v1/search?q=how%20to%20MOP&surfaces=current')).toMatchObject([
    { session, type: 'context/message', spans: 1, snippet: expect.stringContaining('How to mop.') },
  ]);
  expect(await search('/v1/search/sessions?q=Sweep%20it')).toMatchObject([
    { session, live: true, best: { seq: expect.any(Number) } },
  ]);
  expect((await stack.api.call('GET', '/v1/search?q=%2B')).body['code']).toBe('SESSION_QUERY_INVALID_QUERY');

  // A summary hides the list; it is told again.
  await waitFor(async () => (await stack.api.call('POST', `/v1/sessions/${session}/compact`)).status === 202, {
    what: 'the session to be idle',
  });
  await stack.api.turnEnded(session, 3);
  rmSync(skill('mop'));
  rmSync(skill('sweep'));
  await stack.api.prompt(session, 'and now?');
  await stack.api.turnEnded(session, 4);
  const [, , , summary, told, asked, none] = sent.at(-1) ?? [];
  expect([summary, told, asked, none]).toEqual([
    expect.stringContaining('so it was'),
    expect.stringContaining('- mop: to mop'),
    'and now?',
    expect.stringContaining('There are no skills any more'),
  ]);
  await expectSound(stack, session);

  // A new life composes anew.
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await waitFor(async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'] === 'closed', {
    what: 'the end',
  });
  await stack.api.call('POST', `/v1/sessions/${session}/resume`);
  await stack.api.prompt(session, 'again');
  await stack.api.turnEnded(session, 5);
  expect(sent.at(-1)?.[1]).toContain('Be long.');
  await expectSound(stack, session);
});

test('a person calls for a skill by the first word of a message, and in the middle of a turn', async () => {
  const workspace = join(stack.workspace, 'skilled');
  mkdirSync(join(workspace, '.agents/skills'), { recursive: true });
  for (const name of ['dust', 'polish'])
    writeFileSync(
      join(workspace, '.agents/skills', `${name}.md`),
      `---\nname: ${name}\ndescription: to ${name}\n---\nHow to ${name}.`,
    );
  const options = scripted(stack, 'skilled', ({ lastUser }) =>
    lastUser.includes('How to dust') ? { text: 'dusted', hold: 'dusting' } : { text: 'ok' },
  );
  const session = await stack.api.create({ ...options, workspace, prompt: 'hello' });
  await stack.api.turnEnded(session);
  expect((await stack.api.call('POST', `/v1/sessions/${session}/prompts`, { content: '/scrub it' })).status).toBe(400);
  await stack.api.prompt(session, '/dust the shelf');
  await stack.model.held('dusting');
  await stack.api.prompt(session, 'then /polish and /scrub it', { mode: 'steer' });
  stack.model.release('dusting');
  const events = await stack.api.turnEnded(session, 2);
  const said = events.flatMap(({ type, data }) =>
    'content' in data && 'source' in data && (type.endsWith('/message') as boolean)
      ? [`${data.source.kind}: ${data.content.map((block) => (block.type === 'text' ? block.text : '')).join('')}`]
      : [],
  );
  expect(said).toEqual([
    'user: hello',
    'user: /dust the shelf',
    expect.stringMatching(/^skill-invocation: [^]*How to dust\./),
    'user: then /polish and /scrub it',
    expect.stringMatching(/^skill-invocation: [^]*How to polish\./),
  ]);
  await expectSound(stack, session);
});

test('a skill is called for by the first word of a session, sent with it or to it; what is none is prose then, and refused later', async () => {
  const workspace = join(stack.workspace, 'skilled-at-once');
  mkdirSync(join(workspace, '.agents/skills'), { recursive: true });
  writeFileSync(
    join(workspace, '.agents/skills/rinse.md'),
    '---\nname: rinse\ndescription: to rinse\n---\nHow to rinse.',
  );
  const options = { ...scripted(stack, 'skilled-at-once', () => ({ text: 'ok' })), workspace };
  const heard = async (session: string, turn = 1) =>
    (await stack.api.turnEnded(session, turn)).flatMap(({ type, data }) =>
      'content' in data && 'source' in data && (type.endsWith('/message') as boolean) ? [data.source.kind] : [],
    );
  const withIt = await stack.api.create({ ...options, prompt: '/rinse the cup' });
  expect(await heard(withIt)).toEqual(['user', 'skill-invocation']);
  const toIt = await stack.api.create(options);
  await stack.api.prompt(toIt, '/rinse the cup');
  expect(await heard(toIt)).toEqual(['user', 'skill-invocation']);

  const bare = await stack.api.create({ ...options, workspace: join(stack.workspace, 'unskilled') });
  const send = (key: string) =>
    stack.api.call('POST', `/v1/sessions/${bare}/prompts`, { content: '/scrub it' }, { 'idempotency-key': key });
  const taken = await send('first');
  expect(await heard(bare)).toEqual(['user']);
  expect(await send('first')).toMatchObject({ status: 202, body: { promptId: taken.body['promptId'] } });
  expect(await send('second')).toMatchObject({ status: 400, body: { code: 'UNKNOWN_COMMAND' } });
  await expectSound(stack, withIt);
});

test('a session is called by its first words until somebody names it, also while a turn runs', async () => {
  const session = await stack.api.create(
    scripted(stack, 'titled', ({ lastUser, steps }) => {
      if (lastUser !== 'wait' && steps.length === 0)
        return { toolCalls: [{ name: 'todo_write', arguments: { todos: [{ content: 'look', status: 'pending' }] } }] };
      return lastUser === 'wait' ? { text: 'ok', hold: 'titling' } : { text: 'ok' };
    }),
  );
  const title = async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['title'];
  const rename = (to: string) => stack.api.call('PUT', `/v1/sessions/${session}/title`, { title: to });
  await stack.api.prompt(session, 'Look into\nthe failing build of today, please');
  const events = await stack.api.turnEnded(session);
  const given = events.find((event) => event.type === 'session/title');
  const said = events.find(({ type }) => type === 'user/message')?.seq;
  expect(given?.data).toEqual({
    title: 'Look into the failing build',
    messageSeqs: [said],
    source: { kind: 'fallback' },
  });
  expect(await title()).toBe('Look into the failing build');
  await stack.api.prompt(session, 'wait');
  await stack.model.held('titling');
  expect((await rename(' \u202E ')).status).toBe(400);
  expect((await rename('The  build')).status).toBe(202);
  await waitFor(async () => (await title()) === 'The build', { what: 'the title' });
  stack.model.release('titling');
  await stack.api.turnEnded(session, 2);
  await waitFor(async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'] === 'idle', {
    what: 'the session to be idle',
  });
  await rename('Idle build');
  await stack.api.turnEnded(session, 3);
  expect((await stack.api.call('GET', `/v1/sessions/${session}/projections`)).body).toEqual({
    asOfSeq: (await stack.api.events(session)).length - 1,
    todos: [{ content: 'look', status: 'pending' }],
    title: { title: 'Idle build', source: { kind: 'user' } },
    goal: null,
    plan: null,
    stats: { turns: 3, steps: 3, messages: 2, toolCalls: 1, failedCalls: 0, summaries: 0 },
    usage: expect.objectContaining({ steps: 3, turns: 2 }),
  });
  expect((await stack.api.call('GET', '/v1/sessions/nobody/projections')).status).toBe(404);
  await expectSound(stack, session);
});

test('a tenant has a model write titles, beside the turn; what it costs counts, and a title of a person stays', async () => {
  const settings = (method: string, body?: object, rest = '') =>
    stack.api.call(method, `/v1/settings/session-title${rest}`, body);
  expect((await settings('PATCH', { patch: { cadence: 'daily' } })).body).toMatchObject({
    code: 'SETTINGS_REJECTED',
    details: { issues: [{ field: 'cadence' }] },
  });
  const on = { patch: { cadence: 'first-prompt' }, expectedRevision: 0 };
  expect((await settings('PATCH', on)).body).toMatchObject({ revision: 1, changed: true, value: on.patch });
  expect(await settings('PATCH', on)).toMatchObject({
    status: 409,
    body: { code: 'SETTINGS_CONFLICT', details: { expected: 0, actual: 1 } },
  });
  expect((await settings('PUT', { value: on.patch })).body).toMatchObject({ revision: 1, changed: false });
  expect((await stack.api.call('GET', '/v1/settings/nothing')).body['code']).toBe('SETTINGS_NOT_FOUND');

  let asked = 0;
  const session = await stack.api.create(
    scripted(stack, 'by-model', ({ purpose }) => {
      if (purpose !== 'session-title') return { text: 'ok' };
      asked += 1;
      return { text: '"Broken build"', hold: 'title' };
    }),
  );
  const state = async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body;
  const spent = async () => ((await state())['usage'] as { outputTokens: number }).outputTokens;
  await stack.api.prompt(session, 'Look into the failing build of today');
  await stack.api.turnEnded(session);
  await stack.model.held('title');
  const before = await spent();
  stack.model.release('title');
  await waitFor(async () => (await state())['title'] === 'Broken build', { what: 'the title' });
  await waitFor(async () => (await spent()) > before, { what: 'its cost' });
  const events = await stack.api.events(session);
  const said = events.find(({ type }) => type === 'user/message')?.seq;
  const source = { kind: 'provider', provider: 'scripted', model: 'by-model' };
  expect(events.flatMap((event) => (event.type === 'session/title' ? [event.data] : []))).toEqual([
    { title: 'Look into the failing build', messageSeqs: [said], source: { kind: 'fallback' } },
    { title: 'Broken build', messageSeqs: [said], source },
  ]);
  const about = events.map(({ type }) => type).filter((type) => type.startsWith('session/title'));
  expect(about).toEqual(['session/title', 'session/title-llm-request', 'session/title']);

  await settings('POST', { ops: [{ op: 'set', path: ['cadence'], value: 'every-prompt' }] }, '/mutate');
  await stack.api.call('PUT', `/v1/sessions/${session}/title`, { title: 'Mine' });
  await waitFor(async () => (await state())['title'] === 'Mine', { what: 'the title' });
  await stack.api.prompt(session, 'And of tomorrow');
  await waitFor(
    async () => {
      const log = await stack.api.events(session);
      const prompts = log.filter(({ type }) => type === 'user/message').length;
      return prompts === 2 && log.at(-1)?.type === 'turn/end' && (await state())['status'] === 'idle';
    },
    { what: 'the second answer' },
  );
  expect([asked, (await state())['title']]).toEqual([1, 'Mine']);
  await settings('PUT', { value: {} });
  await expectSound(stack, session);
});
