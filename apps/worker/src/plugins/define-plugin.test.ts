import type { SessionId, TenantId } from '@everturn/core/domain';
import { defineTool, implementTool } from '@everturn/tools/kit';
import { expect, test } from 'vitest';
import { definePlugin, isDefinedPlugin, registerParts, type PluginParts } from './define-plugin.ts';
import { createLiveBus } from './live.ts';
import { pluginApi } from './plugin-api.ts';
import { Registry } from './registry.ts';
import { localProviders } from './subagent-providers.ts';
import { noSessions } from './testing/no-sessions.ts';

const tool = (name: string, more: object = {}) =>
  implementTool(
    defineTool({
      name,
      description: 'does',
      parameters: { type: 'object', properties: {} },
      home: 'host',
      effect: 'idempotent',
      ...more,
    }),
    async () => ({ content: [] }),
  );

const PLACE = { tenant: 'acme' as TenantId, session: 's' as SessionId };

function open() {
  const registry = new Registry();
  const view = () => registry.view(PLACE);
  const seen = () => ({
    tools: [...view().tools.keys()],
    sections: view().sections.map(({ name }) => name),
    inspectors: [...view().inspectors.keys()],
    skills: registry.skills(PLACE),
    models: registry.routes(PLACE).map(({ provider }) => provider.id),
    points: view().listenedPoints,
  });
  return {
    seen,
    api: pluginApi({
      subagentProviders: localProviders(),
      registry,
      agents: noSessions,
      live: createLiveBus({ onError: () => undefined }),
    }),
  };
}

const adapter = { id: 'own', name: 'Own', async *stream() {}, models: () => [], context: () => undefined };
const NOTHING = { tools: [], sections: [], inspectors: [], skills: [], models: [], points: [] };
const whole: PluginParts = {
  name: 'whole',
  tools: [tool('one')],
  prompts: [{ name: 'p', order: 1, text: 'p' }],
  providers: [
    { id: 'Mine', description: 'mine', methods: [] },
    { id: 'own-models', name: 'Own models', adapter },
  ],
  skills: [{ name: 'tidy', description: 'Tidies.', instructions: 'Tidy up.', byPerson: false }],
  hooks: { 'tools/guard': [() => undefined, () => undefined], 'agent/pre-step': () => undefined },
};

test('all parts are registered, and all taken back', async () => {
  const { seen, api } = open();
  const { remove, needsRestart } = await registerParts(whole, api);
  expect(seen()).toEqual({
    tools: ['one'],
    sections: ['p'],
    inspectors: ['Mine'],
    skills: [
      {
        name: 'tidy',
        description: 'Tidies.',
        instructions: 'Tidy up.',
        byModel: true,
        byPerson: false,
        source: 'plugin',
      },
    ],
    models: ['own-models'],
    points: expect.arrayContaining(['agent/pre-step', 'tools/guard']),
  });
  remove();
  expect([seen(), needsRestart]).toEqual([NOTHING, false]);
});

test('it is a plugin like any other: called with the api it registers', async () => {
  const { seen, api } = open();
  const plugin = definePlugin(whole);
  expect([isDefinedPlugin(plugin), isDefinedPlugin(() => undefined)]).toEqual([true, false]);
  await plugin(api);
  expect(seen().tools).toEqual(['one']);
});

test('when one part is refused none stays', async () => {
  const { seen, api } = open();
  await expect(registerParts({ ...whole, tools: [tool('one'), tool('one')] }, api)).rejects.toThrow(
    'already registered',
  );
  const setup = () => Promise.reject(new Error('no'));
  await expect(registerParts({ ...whole, setup }, api)).rejects.toThrow('no');
  expect(seen()).toEqual(NOTHING);
});

test.each<[string, object, string]>([
  ['no name', {}, 'name must be'],
  ['a bad name', { name: 'a b' }, 'name must be'],
  ['an unknown part', { name: 'x', agents: [] }, 'agents is no part of a plugin'],
  ['a tool of the workflow', { name: 'x', tools: [tool('t', { home: 'workflow' })] }, 'home host or model'],
  ['a tool without a body', { name: 'x', tools: [{ definition: tool('t').definition }] }, 'needs a body'],
  ['a tool of a set', { name: 'x', tools: [tool('t', { toolset: 's' })] }, 'must not name a toolset'],
  ['a tool of a bad name', { name: 'x', tools: [tool('t u')] }, 'needs a name of letters'],
  [
    'an unknown point',
    { name: 'x', hooks: { 'agent/nope': () => undefined } },
    'nobody asks at the point "agent/nope"',
  ],
  ['a skill without instructions', { name: 'x', skills: [{ name: 's', description: 'd' }] }, 'skill "s" needs'],
  [
    'a skill of a bad name',
    { name: 'x', skills: [{ name: 'S s', description: 'd', instructions: '' }] },
    'skill "S s"',
  ],
  ['a provider that is none', { name: 'x', providers: [{ id: 'p', name: 'P' }] }, 'provider "p" needs'],
  [
    'a provider of half an adapter',
    { name: 'x', providers: [{ id: 'p', adapter: { id: 'a' } }] },
    'provider "p" needs',
  ],
  ['a hook that is none', { name: 'x', hooks: { 'tools/guard': 7 } }, 'must be functions'],
])('refuses %s', (_what, parts, message) => {
  expect(() => definePlugin(parts as PluginParts)).toThrow(
    expect.objectContaining({ code: 'PLUGIN_INVALID', message: expect.stringContaining(message) }),
  );
});
