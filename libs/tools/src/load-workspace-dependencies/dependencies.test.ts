import { mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkspace, temporaryDirectory } from '../../test/workspace.ts';

const NAME = 'load_workspace_dependencies';
const METADATA = {
  desktopVersion: '1.2.3',
  platform: process.platform,
  arch: process.arch,
  payloadDigest: 'sha256-one',
  python: 'bin/python3',
  pythonPackages: 'lib',
};

function payload(metadata: object = {}): string {
  const folder = temporaryDirectory();
  for (const sub of ['bin', 'lib/numpy-2.1.0.dist-info', 'lib/python_docx-1.1.2.dist-info', 'lib/numpy'])
    mkdirSync(join(folder, sub), { recursive: true });
  for (const file of ['python3.12', 'node', 'pnpm.cjs']) writeFileSync(join(folder, 'bin', file), file);
  symlinkSync('python3.12', join(folder, 'bin/python3'));
  describeAs(folder, metadata);
  return folder;
}
const describeAs = (folder: string, metadata: object) =>
  writeFileSync(join(folder, 'runtime.json'), JSON.stringify({ ...METADATA, ...metadata }));

async function open(dependencies?: { source: string; root?: string }) {
  const { call } = await openWorkspace(dependencies && { dependencies });
  return (overrides = {}) => call(NAME, {}, overrides);
}

test('in place: absolute paths, and the versions of what is there', async () => {
  const source = payload({ node: 'bin/node', pnpm: 'bin/pnpm.cjs' });
  const load = await open({ source });
  const expected = {
    python: join(source, 'bin/python3'),
    node: join(source, 'bin/node'),
    pnpm: join(source, 'bin/pnpm.cjs'),
    pythonPackages: join(source, 'lib'),
    pythonDistributions: { numpy: '2.1.0', python_docx: '1.1.2' },
  };
  expect(await load()).toEqual({ text: JSON.stringify(expected, null, 2), isError: false });
});

test('with a root it is copied once, links and all, and an earlier payload stays', async () => {
  const source = payload();
  const root = join(temporaryDirectory(), 'root');
  const [one, other] = [await open({ source, root }), await open({ source, root })];
  const both = await Promise.all([one(), other()]);
  expect(both.map(({ text }) => JSON.parse(text).python)).toEqual(Array(2).fill(join(root, 'sha256-one/bin/python3')));
  expect(readlinkSync(join(root, 'sha256-one/bin/python3'))).toBe('python3.12');
  describeAs(source, { payloadDigest: 'sha256-two' });
  expect((await one()).text).toContain('sha256-one'); // remembered
  expect((await (await open({ source, root }))()).text).toContain('sha256-two');
  expect(readdirSync(root)).toEqual(['sha256-one', 'sha256-two']);
});

test('a copy that fails leaves nothing, and is tried again', async () => {
  const source = payload();
  const root = join(temporaryDirectory(), 'root');
  writeFileSync(root, 'in the way');
  const load = await open({ source, root });
  expect(await load()).toMatchObject({ isError: true, text: expect.stringMatching(/^Error: primary runtime: /) });
  rmSync(root);
  expect(await load()).toMatchObject({ isError: false });
  expect(readdirSync(root)).toEqual(['sha256-one']);
});

test('the next copy sweeps what a crash left of an earlier one, and nothing that somebody still copies', async () => {
  const source = payload();
  const root = temporaryDirectory();
  for (const [name, minutes] of Object.entries({ '.staging-dead': 60, '.staging-alive': 1, other: 60 })) {
    mkdirSync(join(root, name, 'bin'), { recursive: true });
    const then = new Date(Date.now() - minutes * 60_000);
    utimesSync(join(root, name), then, then);
  }
  expect(await (await open({ source, root }))()).toMatchObject({ isError: false });
  expect(readdirSync(root).toSorted()).toEqual(['.staging-alive', 'other', 'sha256-one']);
});

test.each<[string, object, string]>([
  ['another platform', { platform: process.platform === 'linux' ? 'darwin' : 'linux' }, 'this machine is'],
  ['another architecture', { arch: process.arch === 'x64' ? 'arm64' : 'x64' }, 'this machine is'],
  ['pnpm alone', { pnpm: 'bin/pnpm.cjs' }, 'it needs node'],
  ['a missing file', { node: 'bin/nodejs' }, 'node is missing'],
  ['a folder for a file', { python: 'lib' }, 'python is no file'],
  ['a path outside', { python: '../python3' }, 'inside the folder'],
  ['a digest that is a path', { payloadDigest: '../x' }, 'payloadDigest'],
])('%s is refused, and what was put right is found', async (_what, metadata, message) => {
  const source = payload(metadata);
  const load = await open({ source });
  const { isError, text } = await load();
  expect([isError, text]).toEqual([true, expect.stringMatching(/^Error: primary runtime: /)]);
  expect(text).toContain(message);
  describeAs(source, {});
  expect((await load()).isError).toBe(false);
});

test('without a payload it says what to set', async () => {
  const { text } = await (await open())();
  expect(text).toBe('Error: primary runtime: none is set up; EVERTURN_WORKSPACE_DEPENDENCIES names its folder');
  expect((await (await open({ source: temporaryDirectory() }))()).text).toMatch(
    /^Error: primary runtime: .*runtime.json/,
  );
});
