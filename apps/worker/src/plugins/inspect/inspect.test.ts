import { validateArguments, type JsonObject, type SessionId, type TenantId } from '@everturn/core/domain';
import { catalog } from '@everturn/tools/catalog';
import { expect, test } from 'vitest';
import { registerCore } from '../core-registrations.ts';
import { createLiveBus } from '../live.ts';
import { pluginApi } from '../plugin-api.ts';
import { POINT_MODES } from '../points.ts';
import { Registry } from '../registry.ts';
import { inspectorsFor, type Inspector } from './index.ts';
import { localProviders } from '../subagent-providers.ts';
import { noSessions } from '../testing/no-sessions.ts';

const session = 's' as SessionId;
const place = { tenant: 'acme' as TenantId, session };

function open() {
  const registry = new Registry();
  registerCore(registry.global, { tools: catalog.map((definition) => ({ definition })) });
  const api = pluginApi({
    registry,
    live: createLiveBus({ onError: () => undefined }),
    agents: noSessions,
    subagentProviders: localProviders(),
  });
  const providers = (toolsets: string[] = []) => inspectorsFor(registry.view(place, { toolsets }));
  /** Asks as the tool does: both schemas have to hold. */
  const ask = async (id: string, name: string, input: JsonObject = {}, toolsets: string[] = []) => {
    const method = providers(toolsets)
      .find((provider) => provider.id === id)
      ?.methods.find((known) => known.name === name);
    if (!method) throw new Error(`no ${id}.${name}`);
    expect(validateArguments(method.input, input)).toEqual([]);
    const data = await method.answer(input, { signal: new AbortController().signal });
    expect(validateArguments(method.output, data)).toEqual([]);
    return Object.values(data as Record<string, JsonObject[]>)[0] ?? [];
  };
  return { api, providers, ask };
}

test('every session can ask for services, events, builtins and tools', () => {
  const methods = open()
    .providers()
    .map(({ id, methods: [method] }) => `${id}.${method?.name}`);
  expect(methods).toEqual(['Service.listService', 'Event.listEvents', 'Builtin.listBuiltins', 'Tool.listTools']);
});

test('tools are those of the session: its sets and its own, in short or one in full', async () => {
  const { api, ask } = open();
  const names = async (sets: string[]) => (await ask('Tool', 'listTools', {}, sets)).map(({ name }) => name);
  expect(await names([])).toContain('read');
  expect(await names([])).not.toContain('cordis_inspect_list');
  expect(await names(['inspect'])).toContain('cordis_inspect_list');
  const definition = catalog.find(({ name }) => name === 'read')!;
  api.session(session).tool({ definition: { ...definition, description: 'mine' } });
  const [read, ...others] = await ask('Tool', 'listTools', { name: 'read' });
  expect(others).toEqual([]);
  expect(read).toMatchObject({ description: 'mine', parameters: definition.parameters, effect: definition.effect });
  expect(await ask('Tool', 'listTools', { name: 'nope' })).toEqual([]);
});

test('events are all points, with who listens here, and all types of the log, with their payloads', async () => {
  const { api, ask } = open();
  const all = await ask('Event', 'listEvents');
  const names = all.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(POINT_MODES), 'tool/call', 'turn/start']));
  api.session(session).guard(() => undefined);
  expect(await ask('Event', 'listEvents', { name: 'tools/guard' })).toEqual([
    expect.objectContaining({ kind: 'point', mode: 'serial', askedIn: 'workflow', listeners: 1 }),
  ]);
  const [call] = await ask('Event', 'listEvents', { name: 'tool/call' });
  expect(call).toMatchObject({ kind: 'log', data: { type: 'object', properties: { callId: expect.anything() } } });
  for (const name of names) expect(await ask('Event', 'listEvents', { name: name as string })).toHaveLength(1);
});

test('builtins are what a plugin is really given', async () => {
  const { api, ask } = open();
  const listed = await ask('Builtin', 'listBuiltins');
  expect(listed.map(({ name }) => name)).toEqual(Object.keys(api).toSorted());
  const called = listed.filter(({ name, signature }) => (signature as string).startsWith(`${name as string}(`));
  expect(called).toHaveLength(listed.length);
});

test('services are listed in short, and one with its signatures', async () => {
  const { ask } = open();
  expect((await ask('Service', 'listService')).every((service) => !('signatures' in service))).toBe(true);
  const [web] = await ask('Service', 'listService', { name: 'web' });
  expect(web).toMatchObject({
    members: ['fetch', 'announce', 'search'],
    signatures: { fetch: '({ url, signal }): Promise<WebPage>' },
  });
});

test('a plugin answers, too, for all sessions or for one, until it is taken back', async () => {
  const { api, providers, ask } = open();
  const own = (id: string): Inspector => ({
    id,
    description: 'What is visible.',
    methods: [
      {
        name: 'count',
        description: 'How many tools the session has.',
        input: { type: 'object' },
        output: { type: 'object' },
        answer: (_input, { view }) => ({ counts: [{ tools: view.tools.size }] }),
      },
    ],
  });
  expect(() => api.inspector(own('Tool'))).toThrow('already registered');
  const remove = api.session(session).inspector(own('Count'));
  expect(await ask('Count', 'count')).toEqual([{ tools: (await ask('Tool', 'listTools')).length }]);
  remove();
  expect(providers().map(({ id }) => id)).not.toContain('Count');
});
