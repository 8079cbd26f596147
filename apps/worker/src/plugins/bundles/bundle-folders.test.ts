import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalWorld } from '@everturn/tools/world';
import { expect, onTestFinished, test } from 'vitest';
import { BundleFolders } from './bundle-folders.ts';
import { parseSpec } from './package-spec.ts';

async function open() {
  const home = mkdtempSync(join(tmpdir(), 'everturn-git-'));
  const { PATH = '' } = process.env;
  const world = await openLocalWorld({ environment: { PATH }, spillRoot: join(home, 'spill') });
  onTestFinished(async () => {
    await world.dispose();
    rmSync(home, { recursive: true, force: true });
  });
  const root = join(home, 'bundles');
  const folders = new BundleFolders({ root, processes: world.ports.processes });
  const fetch = (spec: string) => {
    const from = parseSpec(spec, home);
    if (from.kind === 'refused') throw new Error(from.message);
    const nothing = { approvedBuilds: [], approvedBefore: () => [], signal: new AbortController().signal };
    return folders.fetch({ spec, from, ...nothing });
  };
  return { home, root, folders, fetch };
}

/** A repository of a package with two versions, whose scripts and hooks leave a mark where they run. */
function repository(home: string): { address: string; first: string; mark: string } {
  const folder = join(home, 'repository');
  const mark = join(home, 'ran');
  mkdirSync(folder);
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...who, ...args], { encoding: 'utf8' }).trim();
  const release = (version: string) => {
    const scripts = { prepare: `touch ${mark}`, prepack: `touch ${mark}`, postinstall: `touch ${mark}` };
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'kept-in-git', version, type: 'module', scripts }),
    );
    writeFileSync(join(folder, 'index.js'), `export default '${version}';\n`);
    git('add', '.');
    git('commit', '-qm', version);
    return git('rev-parse', 'HEAD');
  };
  git('init', '-q', '-b', 'main');
  const first = release('1.0.0');
  git('tag', 'v1');
  release('2.0.0');
  writeFileSync(join(folder, '.git', 'hooks', 'post-checkout'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  return { address: `git+file://${folder}`, first, mark };
}

test('a package in a repository: its head, a tag and a commit; nothing of it runs, nothing of git stays', async () => {
  const { home, root, folders, fetch } = await open();
  const { address, first, mark } = repository(home);
  const [head, tag] = [await fetch(address), await fetch(`${address}#v1`)];
  expect([head, tag].map(({ name, version, spec, pendingBuilds }) => [name, version, spec, pendingBuilds])).toEqual([
    ['kept-in-git', '2.0.0', address, ['kept-in-git']],
    ['kept-in-git', '1.0.0', `${address}#v1`, ['kept-in-git']],
  ]);
  const commit = await fetch(`${address}#${first.slice(0, 12)}`);
  expect(commit.version).toBe('1.0.0');
  const code = join(folders.of(tag), 'node_modules', 'kept-in-git', 'index.js');
  expect(readFileSync(code, 'utf8')).toBe("export default '1.0.0';\n");
  expect([existsSync(mark), existsSync(join(folders.of(head), 'source'))]).toEqual([false, false]);
  await expect(fetch(`${address}#nowhere`)).rejects.toThrow(/^git .*nowhere/s);
  expect(readdirSync(root).filter((name) => name.startsWith('.staging'))).toEqual([]);
});
