import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LiveNotification } from '../contract/index.ts';
import { createLiveBus } from './live.ts';
import { loadPlugins } from './load-plugins.ts';
import { Registry } from './registry.ts';
import { localProviders } from './subagent-providers.ts';
import { noSessions } from './testing/no-sessions.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'everturn-plugins-'));
});
afterEach(() => rm(folder, { recursive: true }));

const plugin = async (name: string, source: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, source);
  return path;
};
const session = 's' as SessionId;
const place = { tenant: 'acme' as TenantId, session };

test('a plugin registers through the api it is given, and its code is part of the version', async () => {
  const versions = [];
  for (const text of ['one', 'two']) {
    const registry = new Registry();
    const live = createLiveBus({ onError: () => {} });
    const path = await plugin(
      `${text}.mjs`,
      `// ${text}\nexport default (api) => { api.promptSection({ name: 'p', order: 1, text: 'hello' }); };`,
    );
    await loadPlugins({ paths: [path], registry, live, agents: noSessions, subagentProviders: localProviders() });
    expect(registry.view(place).sections).toEqual([{ name: 'p', order: 1, text: 'hello' }]);
    versions.push(registry.version(place));
  }
  expect(versions[0]).not.toBe(versions[1]);
});

test.each([
  ['no-default.mjs', 'export const x = 1;', 'it has no default export that is a function'],
  ['throws.mjs', "export default () => { throw new Error('not today'); };", 'not today'],
])('%s is refused by name', async (name, source, why) => {
  const path = await plugin(name, source);
  const loading = loadPlugins({
    paths: [path],
    registry: new Registry(),
    live: createLiveBus({ onError: () => {} }),
    agents: noSessions,
    subagentProviders: localProviders(),
  });
  await expect(loading).rejects.toMatchObject({
    code: 'PLUGIN_NOT_LOADED',
    message: expect.stringContaining(`${path}: ${why}`),
  });
});

test('a failing live observer is contained', () => {
  const errors: unknown[] = [];
  const seen: LiveNotification[] = [];
  const bus = createLiveBus({ onError: (error) => errors.push(error) });
  bus.onLive(() => {
    throw new Error('broken observer');
  });
  const remove = bus.onLive((notification) => seen.push(notification));
  const notification: LiveNotification = { tenant: 't' as TenantId, session, kind: 'agent/status', status: 'idle' };
  bus.publish(notification);
  remove();
  bus.publish(notification);
  expect([errors.length, seen]).toEqual([2, [notification]]);
});
