import type { SessionId, TenantId } from '@everturn/core/domain';
import { defineTool } from '@everturn/tools/kit';
import { describe, expect, test } from 'vitest';
import { createLiveBus } from './live.ts';
import { pluginApi } from './plugin-api.ts';
import { Registry } from './registry.ts';
import { localProviders } from './subagent-providers.ts';
import { noSessions } from './testing/no-sessions.ts';

const alpha = 'alpha' as SessionId;
const beta = 'beta' as SessionId;
const seenBy = (session: SessionId) => ({ tenant: 'acme' as TenantId, session });

const tool = (name: string, description = `runs ${name}`, toolset?: string) => ({
  definition: defineTool({
    name,
    ...(toolset !== undefined && { toolset }),
    description,
    parameters: { type: 'object', properties: {} },
    home: 'model',
    effect: 'idempotent',
    promptSection: { name: `tool:${name}`, order: 100, text: `use ${name}` },
  }),
});

function setUp() {
  const registry = new Registry();
  const live = createLiveBus({ onError: () => {} });
  return { registry, api: pluginApi({ subagentProviders: localProviders(), registry, live, agents: noSessions }) };
}

const names = (registry: Registry, session: SessionId) => [...registry.view(seenBy(session)).tools.keys()].toSorted();

describe('views', () => {
  test('one view serves all who choose alike, until something changes', () => {
    const { registry, api } = setUp();
    api.tool(tool('read'));
    const removed = api.tool(tool('write'));
    const first = registry.view(seenBy(alpha), { toolsets: [] });
    expect(registry.view(seenBy(beta), { toolsets: [] })).toBe(first);
    expect(registry.view(seenBy(beta), { restrictions: [{ deny: ['read'] }] }).tools.size).toBe(1);
    removed();
    expect(registry.view(seenBy(alpha), { toolsets: [] }).tools.size).toBe(1);
    api.session(alpha).tool(tool('mine'));
    expect([names(registry, alpha), names(registry, beta)]).toEqual([['mine', 'read'], ['read']]);
  });

  test('many choices are answered rightly, however few views are kept', () => {
    const { registry, api } = setUp();
    for (let n = 0; n < 600; n += 1) api.tool(tool(`t${n}`));
    const only = (n: number) => registry.view(seenBy(alpha), { restrictions: [{ allow: [`t${n}`] }] });
    for (let round = 0; round < 2; round += 1)
      for (let n = 0; n < 600; n += 1) expect([...only(n).tools.keys()]).toEqual([`t${n}`]);
  });
});

describe('scopes', () => {
  test('a scoped tool shadows the global one of its name and goes with the session', () => {
    const { registry, api } = setUp();
    api.tool(tool('read'));
    api.tool(tool('write'));
    api.session(alpha).tool(tool('read', 'reads for alpha'));
    expect(registry.view(seenBy(alpha)).tools.get('read')?.definition.description).toBe('reads for alpha');
    expect(registry.view(seenBy(beta)).tools.get('read')?.definition.description).toBe('runs read');
    expect(names(registry, alpha)).toEqual(['read', 'write']);
    registry.dispose(alpha);
    expect(registry.view(seenBy(alpha)).tools.get('read')?.definition.description).toBe('runs read');
  });

  test('what one tenant has others do not see; it shadows what all have, and is filtered like it', () => {
    const { registry, api } = setUp();
    api.tool(tool('read'));
    const other = { tenant: 'other' as TenantId, session: alpha };
    const before = [registry.version(seenBy(alpha)), registry.version(other)];
    const own = registry.tenant('acme' as TenantId);
    const remove = [own.addTool(tool('read', 'reads for acme')), own.addTool(tool('mine')), own.addCode('c1')];
    api.session(alpha).tool(tool('mine', 'of the session'));
    expect(registry.view(seenBy(beta)).tools.get('read')?.definition.description).toBe('reads for acme');
    expect(registry.view(seenBy(alpha)).tools.get('mine')?.definition.description).toBe('of the session');
    expect([...registry.view(other).tools.keys()]).toEqual(['read', 'mine']);
    expect(names(registry, beta)).toEqual(['mine', 'read']);
    expect([...registry.view(seenBy(beta), { restrictions: [{ deny: ['mine'] }] }).tools.keys()]).toEqual(['read']);
    registry.dispose(alpha);
    expect(registry.version(seenBy(beta))).not.toBe(before[0]);
    expect(registry.version(other)).toBe(before[1]);
    for (const undo of remove) undo();
    expect(registry.version(seenBy(beta))).not.toBe(before[0]);
    expect(names(registry, beta)).toEqual(['read']);
  });

  test('eachSession sets up every session once and again after its scope went', () => {
    const { registry, api } = setUp();
    const seen: string[] = [];
    api.eachSession((session, scope) => {
      seen.push(session);
      if (session === alpha) scope.tool(tool('secret'));
    });
    expect([names(registry, alpha), names(registry, beta), names(registry, alpha)]).toEqual([
      ['secret'],
      [],
      ['secret'],
    ]);
    registry.dispose(alpha);
    expect(names(registry, alpha)).toEqual(['secret']);
    expect(seen).toEqual(['alpha', 'beta', 'alpha']);
  });

  test('sections, commands, guards and listeners are joined the same way', () => {
    const { registry, api } = setUp();
    api.promptSection({ name: 'a', order: 1, text: 'global a' });
    api.session(alpha).promptSection({ name: 'a', order: 2, text: 'alpha a' });
    api.command({ name: 'hello', description: '', handler: () => ({ kind: 'success', text: 'global' }) });
    api.guard(() => undefined);
    api.session(alpha).guard(() => 'no');
    api.session(alpha).on('agent/turn-stop', () => undefined);
    expect(registry.view(seenBy(alpha)).sections).toEqual([{ name: 'a', order: 2, text: 'alpha a' }]);
    expect(registry.view(seenBy(beta)).sections).toEqual([{ name: 'a', order: 1, text: 'global a' }]);
    expect(registry.view(seenBy(alpha)).listeners('tools/guard')).toHaveLength(2);
    expect(registry.view(seenBy(alpha)).listenedPoints).toEqual(['agent/turn-stop', 'tools/guard']);
    expect(registry.view(seenBy(beta)).listenedPoints).toEqual(['tools/guard']);
    expect([...registry.view(seenBy(beta)).commands.keys()]).toEqual(['hello']);
  });
});

describe('restrictions', () => {
  test('several intersect, and scoped tools are exempt', () => {
    const { registry, api } = setUp();
    for (const name of ['bash', 'read', 'write']) api.tool(tool(name));
    api.session(alpha).tool(tool('own'));
    const view = registry.view(seenBy(alpha), { restrictions: [{ allow: ['read', 'write'] }, { deny: ['write'] }] });
    expect([...view.tools.keys()]).toEqual(['read', 'own']);
    expect(view.sections.map(({ name }) => name)).toEqual(['tool:read', 'tool:own']);
  });

  test('a name that no global tool has, and a filter that filters nothing, are refused', () => {
    const { registry, api } = setUp();
    api.tool(tool('read'));
    api.session(alpha).tool(tool('own'));
    expect(() => registry.view(seenBy(alpha), { restrictions: [{ allow: ['own', 'nope'] }] })).toThrow(
      expect.objectContaining({
        code: 'PLUGIN_UNKNOWN_TOOL',
        message: 'tools: no tool is named "own", "nope". Known: read.',
      }),
    );
    expect(() => registry.view(seenBy(alpha), { restrictions: [{}] })).toThrow(
      expect.objectContaining({ code: 'PLUGIN_EMPTY_FILTER' }),
    );
  });
});

describe('optional sets', () => {
  function withSets() {
    const { registry, api } = setUp();
    for (const name of ['bash', 'read']) api.tool(tool(name));
    api.tool(tool('bash', 'keeps its shell', 'kept'));
    api.tool(tool('open', 'opens', 'terminal'));
    api.tool(tool('open', 'opens otherwise', 'other'));
    return { registry, api };
  }
  const described = (registry: Registry, toolsets: string[]) =>
    Object.fromEntries(
      [...registry.view(seenBy(alpha), { toolsets }).tools].map(([name, { definition }]) => [
        name,
        definition.description,
      ]),
    );

  test('are offered to who asks for them, and shadow basic tools and earlier sets', () => {
    const { registry } = withSets();
    expect(described(registry, [])).toEqual({ bash: 'runs bash', read: 'runs read' });
    expect(described(registry, ['kept', 'terminal'])).toEqual({
      bash: 'keeps its shell',
      read: 'runs read',
      open: 'opens',
    });
    expect(described(registry, ['terminal', 'other'])).toMatchObject({ open: 'opens otherwise' });
    expect([...registry.toolsets(seenBy(alpha))]).toEqual(['kept', 'terminal', 'other']);
  });

  test('are subject to restrictions, which may name what they offer', () => {
    const { registry } = withSets();
    const view = registry.view(seenBy(alpha), { toolsets: ['terminal'], restrictions: [{ allow: ['open', 'read'] }] });
    expect([...view.tools.keys()]).toEqual(['read', 'open']);
    expect(() => registry.view(seenBy(alpha), { restrictions: [{ allow: ['open'] }] })).toThrow(
      'no tool is named "open"',
    );
  });

  test('may be wanted but for some of their tools', () => {
    const { registry } = withSets();
    const view = registry.view(seenBy(alpha), {
      toolsets: ['kept', 'terminal'],
      except: { toolset: 'kept', tools: ['bash', 'open'] },
    });
    expect(view.tools.get('bash')?.definition.description).toBe('runs bash');
    expect(view.tools.has('open')).toBe(true);
  });

  test('that nobody has are refused by name', () => {
    const { registry, api } = withSets();
    const remove = api.tool(tool('gone', 'goes', 'gone'));
    remove();
    expect(() => registry.view(seenBy(alpha), { toolsets: ['kept', 'gone', 'nope'] })).toThrow(
      expect.objectContaining({
        code: 'PLUGIN_UNKNOWN_TOOLSET',
        message: 'toolsets: no set is named "gone", "nope". Known: kept, other, terminal.',
      }),
    );
  });

  test('are part of the version', () => {
    const { registry, api } = withSets();
    const before = registry.version(seenBy(alpha));
    const remove = api.tool(tool('more', 'does more', 'terminal'));
    expect(registry.version(seenBy(alpha))).not.toBe(before);
    remove();
    expect(registry.version(seenBy(alpha))).toBe(before);
  });
});

describe('the version', () => {
  test('is the same for the same registrations in another process, and changes with each', () => {
    const build = () => {
      const { registry, api } = setUp();
      api.tool(tool('read'));
      return { registry, api };
    };
    const { registry, api } = build();
    const first = registry.version(seenBy(alpha));
    expect(build().registry.version(seenBy(alpha))).toBe(first);
    const remove = api.on('agent/pre-step', () => {});
    const second = registry.version(seenBy(alpha));
    remove();
    expect([second === first, registry.version(seenBy(alpha))]).toEqual([false, first]);
    registry.global.addCode('another build of a plugin');
    expect(registry.version(seenBy(alpha))).not.toBe(first);
  });

  test('a scoped registration changes it for that session alone', () => {
    const { registry, api } = setUp();
    api.session(alpha).tool(tool('x'));
    const before = registry.version(seenBy(alpha));
    api.session(alpha).tool(tool('y'));
    expect(registry.version(seenBy(alpha))).not.toBe(before);
    expect(registry.version(seenBy(beta))).not.toBe(before);
  });
});

test('a second registration of a name and a bad command name are refused', () => {
  const { api } = setUp();
  api.tool(tool('read'));
  expect(() => api.tool(tool('read'))).toThrow(expect.objectContaining({ code: 'PLUGIN_DUPLICATE_NAME' }));
  expect(() => api.command({ name: 'Bad', description: '', handler: () => ({ kind: 'success' }) })).toThrow(
    expect.objectContaining({ code: 'PLUGIN_INVALID_NAME' }),
  );
});
