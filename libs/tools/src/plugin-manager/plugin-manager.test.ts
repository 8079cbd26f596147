import { expect, test } from 'vitest';
import { openWorkspace } from '../../test/workspace.ts';
import type { PluginChange, PluginsPort } from '../kit/index.ts';

/** Remembers what the tool wants; what really happens is tested where bundles are installed. */
async function open(mode: 'workspace-write' | 'danger-full-access' = 'danger-full-access') {
  const { call, cwd } = await openWorkspace();
  const asked: (PluginChange | object)[] = [];
  const plugins: PluginsPort = {
    bundles: async (page) => (asked.push(page), { entries: [], total: 0, nextOffset: null }),
    plugins: async (page) => (asked.push(page), { entries: [], total: 0, nextOffset: null }),
    change: async (change) => (asked.push(change), { application: 'applied', pendingBuilds: ['sharp'] }),
  };
  const sandbox = { mode, network: 'full', root: cwd, limits: {} } as const;
  return { asked, cwd, manage: (args: object) => call('plugin_manager', args, { plugins, sandbox }), call };
}

test('lists have pages; what they are asked with is checked', async () => {
  const { manage, asked } = await open();
  const { text } = await manage({ action: 'list_bundles' });
  expect(JSON.parse(text)).toEqual({ entries: [], total: 0, nextOffset: null });
  await manage({ action: 'list_plugins', offset: 3, limit: 100 });
  expect(asked).toEqual([
    { offset: 0, limit: 25 },
    { offset: 3, limit: 100 },
  ]);
  for (const page of [{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { offset: -1 }, { offset: 0.5 }]) {
    const { isError, text: said } = await manage({ action: 'list_plugins', ...page });
    expect([isError, said]).toEqual([true, expect.stringMatching(/^Error: (limit|offset) must be /)]);
  }
  expect(asked).toHaveLength(2);
});

test('changes say what became of them, and need what they need', async () => {
  const { manage, asked, cwd } = await open();
  const install = { action: 'install_bundle', target: ' ./a.tgz ', approvedBuilds: ['sharp'], registry: 'https://r' };
  expect(JSON.parse((await manage(install)).text)).toEqual({
    action: 'install_bundle',
    target: './a.tgz',
    application: 'applied',
    pendingBuilds: ['sharp'],
  });
  await manage({ action: 'install_bundle', target: 'a', enabled: false });
  await manage({ action: 'set_bundle', target: 'a', enabled: false });
  await manage({ action: 'set_plugin', target: 'a:b', enabled: true });
  await manage({ action: 'remove_bundle', target: 'a' });
  expect(asked).toEqual([
    {
      kind: 'install-bundle',
      spec: './a.tgz',
      enabled: true,
      approvedBuilds: ['sharp'],
      registry: 'https://r',
      cwd: expect.any(String),
    },
    { kind: 'install-bundle', spec: 'a', enabled: false, approvedBuilds: [], cwd: expect.any(String) },
    { kind: 'set-bundle', bundle: 'a', enabled: false },
    { kind: 'set-plugin', id: 'a:b', enabled: true },
    { kind: 'remove-bundle', bundle: 'a' },
  ]);
  expect(cwd).toBeTypeOf('string');
  for (const [args, message] of [
    [{ action: 'set_plugin', target: 'a:b' }, 'target and enabled are required'],
    [{ action: 'set_bundle', enabled: true }, 'target and enabled are required'],
    [{ action: 'install_bundle', target: ' ' }, 'target package spec is required'],
    [{ action: 'remove_bundle' }, 'target is required'],
    [{ action: 'nope' }, 'invalid arguments: "action" must be one of'],
    [{ action: 'list_plugins', sandbox_permissions: 'danger-full-access', justification: 'x' }, 'was not granted'],
  ] as const) {
    const { isError, text } = await manage(args);
    expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
  }
  expect(asked).toHaveLength(5);
});

test('without full access nothing is asked, and without a manager there is none', async () => {
  const { manage, asked, call } = await open('workspace-write');
  expect(await manage({ action: 'list_plugins' })).toMatchObject({ isError: true });
  expect(asked).toEqual([]);
  expect(await call('plugin_manager', { action: 'list_plugins' })).toMatchObject({
    isError: true,
    code: 'PLUGINS_UNAVAILABLE',
  });
});
