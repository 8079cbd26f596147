import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { bundleRevision, createApiKey, holdBundleLease, releaseBundleLease } from '@everturn/core/postgres';
import { openTestDatabase, startRecordingServer, waitFor } from '@everturn/core/testing';
import type { PluginChange } from '@everturn/tools/kit';
import { openLocalWorld, type LocalWorld } from '@everturn/tools/world';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Registry } from '../registry.ts';
import { Bundles } from './bundles.ts';
import { GREETING, packIn } from './test/pack.ts';

const folder = mkdtempSync(join(tmpdir(), 'everturn-bundles-'));
const acme = 'acme' as TenantId;
const other = 'other' as TenantId;
const never = new AbortController().signal;
const page = { offset: 0, limit: 25 };
const { database, drop } = await openTestDatabase();
let world: LocalWorld;
let workers = 0;

beforeAll(async () => {
  await createApiKey(database, { tenant: acme, admin: true });
  await createApiKey(database, { tenant: other });
  const { PATH = '' } = process.env;
  world = await openLocalWorld({ environment: { PATH, NPM_TOKEN: 'hush', DATABASE_URL: 'postgres://u:p@h/d' } });
});
afterAll(async () => {
  await world.dispose();
  rmSync(folder, { recursive: true, force: true });
  await drop();
});

const tarball = packIn(folder);

async function worker(options: { lockWaitMs?: number } = {}) {
  const registry = new Registry();
  const warnings: string[] = [];
  const root = mkdtempSync(join(folder, 'worker-'));
  const open = async () => {
    const bundles = new Bundles({
      database,
      registry,
      processes: world.ports.processes,
      root,
      owner: `worker-${(workers += 1)}`,
      warn: (message) => warnings.push(message),
      lookEveryMs: 20,
      ...options,
    });
    onTestFinished(() => bundles.dispose());
    await bundles.start();
    return bundles;
  };
  const bundles = await open();
  const view = (tenant: TenantId) => registry.view({ tenant, session: 's' as SessionId });
  const brought = (tenant: TenantId) => [
    ...registry.routes({ tenant, session: 's' as SessionId }).map(({ provider }) => provider.id),
    ...registry.skills({ tenant, session: 's' as SessionId }).map(({ name }) => name),
  ];
  const tools = (tenant = acme) => [...view(tenant).tools.keys()];
  const install = (spec: string, rest: object = {}) =>
    change({ kind: 'install-bundle', spec, enabled: true, approvedBuilds: [], cwd: folder, ...rest });
  const change = (wanted: PluginChange, { tenant = acme, signal = never } = {}) =>
    bundles.of(tenant).change(wanted, signal);
  const remove = (bundle: string) => change({ kind: 'remove-bundle', bundle });
  return { registry, bundles, root, warnings, view, brought, tools, install, change, remove, reopen: open };
}

test('a bundle of a local tarball: installed, seen by its tenant alone, by other workers and after a restart; switched, removed', async () => {
  const first = await worker();
  const second = await worker();
  const before = first.registry.version({ tenant: acme, session: 's' as SessionId });
  const installed = await first.install(`./${tarball('greeter', { code: GREETING }).slice(folder.length + 1)}`);
  expect(installed).toMatchObject({
    application: 'applied',
    pendingBuilds: [],
    bundle: { name: 'greeter', version: '1.0.0', enabled: true, state: 'loaded', plugins: ['greeting', 'guarding'] },
  });
  expect([first.tools(), first.tools(other)]).toEqual([['greet'], []]);
  expect(first.view(acme).sections.map(({ name }) => name)).toEqual(['greeting']);
  expect(first.view(acme).listenedPoints).toEqual(['tools/guard']);
  expect(first.registry.version({ tenant: acme, session: 's' as SessionId })).not.toBe(before);
  expect([first.brought(acme), first.brought(other)]).toEqual([['parrot', 'bow'], []]);
  const run = first.view(acme).tools.get('greet')?.execute;
  expect(await run?.({}, {} as never)).toMatchObject({ content: [{ text: 'hello from the bundle' }] });
  await waitFor(async () => second.tools().includes('greet'), { what: 'the other worker to install it' });
  expect(second.warnings).toEqual([]);
  expect(second.registry.version({ tenant: acme, session: 's' as SessionId })).toBe(
    first.registry.version({ tenant: acme, session: 's' as SessionId }),
  );

  expect((await first.bundles.of(other).bundles(page)).entries).toMatchObject([{ name: 'greeter', enabled: false }]);
  expect(await first.bundles.of(acme).plugins({ offset: 1, limit: 1 })).toEqual({
    entries: [{ id: 'greeter:guarding', bundle: 'greeter', name: 'guarding', enabled: true }],
    total: 2,
    nextOffset: null,
  });
  expect((await first.bundles.of(acme).plugins({ offset: 0, limit: 1 })).nextOffset).toBe(1);
  await first.change({ kind: 'set-plugin', id: 'greeter:greeting', enabled: false });
  expect([first.tools(), first.view(acme).listenedPoints]).toEqual([[], ['tools/guard']]);
  expect(await first.change({ kind: 'set-bundle', bundle: 'greeter', enabled: true }, { tenant: other })).toMatchObject(
    {
      application: 'applied',
    },
  );
  expect([first.tools(), first.tools(other)]).toEqual([[], ['greet']]);
  await first.change({ kind: 'set-bundle', bundle: 'greeter', enabled: false }, { tenant: other });
  await first.change({ kind: 'set-plugin', id: 'greeter:greeting', enabled: true });

  const digest = readdirSync(first.root).find((name) => !name.startsWith('.'));
  mkdirSync(join(first.root, '.staging-left-by-a-dead-process'));
  const again = await worker();
  expect(again.tools()).toEqual(['greet']);
  expect(await first.remove('greeter')).toMatchObject({ application: 'applied' });
  expect([first.tools(), first.view(acme).sections]).toEqual([[], []]);
  expect((await first.bundles.of(acme).bundles(page)).entries).toEqual([]);
  expect(await first.remove('greeter')).toMatchObject({
    application: 'failed',
    message: expect.stringContaining('unknown'),
  });
  expect(existsSync(join(first.root, digest ?? ''))).toBe(true);
  await first.reopen();
  expect(readdirSync(first.root).filter((name) => name !== '.cache')).toEqual([]);
});

test('install scripts run only when approved, which is remembered; npm sees no secret', async () => {
  const { install, remove } = await worker();
  const manifest = {
    scripts: { postinstall: 'env > built; echo x >> ../../ran' },
    bundleDependencies: ['inner'],
    dependencies: { inner: '1.0.0' },
  };
  const inner = JSON.stringify({ name: 'inner', version: '1.0.0', scripts: { install: 'touch built' } });
  const files = { 'node_modules/inner/package.json': inner };
  const code = `import { definePlugin } from '@everturn/worker/plugin';
    import { existsSync, readFileSync } from 'node:fs';
    const built = new URL('built', import.meta.url);
    globalThis.builtPlugin = existsSync(built) ? readFileSync(built, 'utf8') : undefined;
    export default definePlugin({ name: 'built' });`;
  const built = () => (globalThis as { builtPlugin?: string }).builtPlugin;
  const pack = (version: string) => tarball('builder', { version, code, manifest, files });
  expect(await install(pack('1.0.0'))).toMatchObject({ application: 'applied', pendingBuilds: ['builder', 'inner'] });
  expect(built()).toBeUndefined();
  expect(await install(pack('1.0.2'), { approvedBuilds: ['builder'] })).toMatchObject({
    application: 'applied',
    pendingBuilds: ['inner'],
    bundle: { version: '1.0.2', approvedBuilds: ['builder'] },
  });
  expect(built()).toContain('npm_package_name=builder');
  expect(built()).not.toMatch(/hush|postgres:/);
  expect(await install(pack('1.0.3'))).toMatchObject({
    pendingBuilds: ['inner'],
    bundle: { approvedBuilds: ['builder'] },
  });
  await remove('builder');
});

test('what cannot be installed changes nothing, and says why', async () => {
  const { install, change, tools, root } = await worker({ lockWaitMs: 100 });
  const before = await bundleRevision(database);
  const good = tarball('good', { code: GREETING });
  const broken = (code: string) => install(tarball('broken', { code }));
  const failures = [
    await install('git+https://example.invalid/x.git'),
    await install('owner/repo'),
    await install('--global'),
    await install('https://user:pw@example.invalid/x.tgz'),
    await install('x', { registry: 'ftp://example.invalid' }),
    await install(join(folder, 'missing.tgz')),
    await install(good, { approvedBuilds: ['nobody'] }),
    await broken('throw new Error("I do not load")'),
    await broken(
      "import { definePlugin } from '@everturn/worker/plugin'; export default definePlugin({ name: 'x', agents: [] })",
    ),
    await change(
      { kind: 'install-bundle', spec: good, enabled: true, approvedBuilds: [], cwd: folder },
      { tenant: other },
    ),
    await change({ kind: 'set-bundle', bundle: 'nope', enabled: true }),
    await change({ kind: 'set-plugin', id: 'nope:x', enabled: true }),
  ];
  expect(failures.map(({ application }) => application)).toEqual(failures.map(() => 'failed'));
  expect(failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^git fetch failed: .*example\.invalid/),
    expect.stringContaining('or a git+https address'),
    expect.stringContaining('it is no package'),
    expect.stringContaining('credentials'),
    expect.stringContaining('http or https'),
    expect.stringContaining('npm pack failed'),
    expect.stringContaining('nobody has no install script'),
    expect.stringContaining('I do not load'),
    expect.stringContaining('agents is no part of a plugin'),
    expect.stringContaining('admin key'),
    expect.stringContaining('unknown'),
    expect.stringContaining('unknown'),
  ]);
  await holdBundleLease(database, { owner: 'somebody', forMs: 60_000 });
  expect(await install(good)).toMatchObject({
    application: 'failed',
    message: expect.stringContaining('another install'),
  });
  await releaseBundleLease(database, 'somebody');
  expect((await bundleRevision(database)) - before).toBe(0);
  expect(tools()).toEqual([]);
  expect(readdirSync(root).filter((name) => name.startsWith('.staging'))).toEqual([]);
});

test('a cancel ends npm, a lease of a dead worker lapses, a name that is taken switches the bundle off again', async () => {
  const asked = Promise.withResolvers<void>();
  const silent = await startRecordingServer(() => asked.resolve());
  onTestFinished(silent.close);
  const { install, change, registry, tools, root, remove } = await worker();
  const stop = new AbortController();
  const installing = change(
    {
      kind: 'install-bundle',
      spec: 'something',
      enabled: true,
      approvedBuilds: [],
      registry: silent.url,
      cwd: folder,
    },
    { signal: stop.signal },
  );
  await Promise.race([asked.promise, installing]);
  stop.abort();
  expect(await installing).toEqual({ application: 'cancelled', pendingBuilds: [] });
  expect(readdirSync(root).filter((name) => name.startsWith('.staging'))).toEqual([]);

  await holdBundleLease(database, { owner: 'dead', forMs: 300 });
  registry.global.addTool({ definition: { name: 'greet', home: 'host', effect: 'idempotent' } as never });
  const taken = await install(tarball('greeter', { code: GREETING }));
  expect(taken).toMatchObject({
    application: 'failed',
    message: expect.stringContaining('"greet"'),
    bundle: { enabled: false },
  });
  expect(tools()).toEqual(['greet']);
  await remove('greeter');
});

test('what a setup leaves behind needs a restart; what it takes back does not', async () => {
  const { install, change, remove } = await worker();
  const code = (undo: string) => `import { definePlugin } from '@everturn/worker/plugin';
    export default definePlugin({ name: 'p', setup(scope) { scope.promptSection({ name: 'p', order: 1, text: 'p' }); ${undo} } });`;
  await install(tarball('leaving', { code: code('globalThis.leftPlugin = 1;') }));
  await install(
    tarball('tidy', { code: code("return () => { globalThis.tidyPlugin = 'gone'; };").replaceAll("'p'", "'q'") }),
  );
  expect(await change({ kind: 'set-bundle', bundle: 'leaving', enabled: false })).toMatchObject({
    application: 'restart-required',
    message: expect.stringContaining('p'),
  });
  expect(await remove('tidy')).toMatchObject({ application: 'applied' });
  expect((globalThis as { tidyPlugin?: string }).tidyPlugin).toBe('gone');
  await remove('leaving');
});

test('a worker that cannot make a bundle says so and serves the others', async () => {
  const first = await worker();
  await first.install(tarball('greeter', { code: GREETING }));
  await database
    .updateTable('bundles')
    .set({ archive: Buffer.from('not a package') })
    .execute();
  await database.updateTable('bundle_state').set({ revision: 10_000 }).execute();
  const second = await worker();
  expect(second.tools()).toEqual([]);
  expect(second.warnings.join()).toContain('bundle "greeter": npm ci failed');
  expect((await second.bundles.of(acme).bundles(page)).entries).toMatchObject([{ name: 'greeter', state: 'failed' }]);
  expect(first.tools()).toEqual(['greet']);
  await first.remove('greeter');
  expect(
    readFileSync(
      join(first.root, readdirSync(first.root).find((name) => !name.startsWith('.')) ?? '', 'entry.mjs'),
      'utf8',
    ),
  ).toContain('greeter');
});
