import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildDependencies } from './build-dependencies.ts';

function place() {
  const home = mkdtempSync(join(tmpdir(), 'everturn-dependencies-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, folder: join(home, 'payload') };
}

/** A wheel that holds one module: pip installs it from a path, without a registry. */
function wheel(home: string, version: string): string {
  const file = join(home, `greeting-${version}-py3-none-any.whl`);
  if (existsSync(file)) return file;
  const info = `greeting-${version}.dist-info`;
  const code = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('greeting.py', 'words = "hello ${version}"\\n')
    wheel.writestr('${info}/METADATA', 'Metadata-Version: 2.1\\nName: greeting\\nVersion: ${version}\\n')
    wheel.writestr('${info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr('${info}/RECORD', 'greeting.py,,\\n${info}/METADATA,,\\n${info}/WHEEL,,\\n${info}/RECORD,,\\n')
`;
  execFileSync('python3', ['-c', code, file]);
  return file;
}

async function build(home: string, folder: string, version: string) {
  const requirements = join(home, 'requirements.txt');
  writeFileSync(requirements, `${wheel(home, version)}\n`);
  await buildDependencies({ folder, requirements, tell: () => undefined });
  return JSON.parse(readFileSync(join(folder, 'runtime.json'), 'utf8')) as Record<string, string>;
}

test('an environment that runs with its libraries, described by its content, whole or not at all', async () => {
  const { home, folder } = place();
  const first = await build(home, folder, '1.0');
  const { python = '', pythonPackages = '', payloadDigest, platform, arch } = first;
  expect([platform, arch, payloadDigest]).toEqual([
    process.platform,
    process.arch,
    expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
  ]);
  expect(existsSync(join(folder, pythonPackages, 'greeting.py'))).toBe(true);
  const say = ['-c', 'import greeting; print(greeting.words)'];
  expect(execFileSync(join(folder, python), say, { encoding: 'utf8' })).toBe('hello 1.0\n');
  expect((await build(home, folder, '2.0'))['payloadDigest']).not.toBe(payloadDigest);
  expect(execFileSync(join(folder, python), say, { encoding: 'utf8' })).toBe('hello 2.0\n');

  writeFileSync(join(home, 'bad.txt'), `${join(home, 'nowhere.whl')}\n`);
  const bad = buildDependencies({ folder, requirements: join(home, 'bad.txt'), tell: () => undefined });
  await expect(bad).rejects.toMatchObject({ code: 'INFRA_TOOL_MISSING' });
  expect(execFileSync(join(folder, python), say, { encoding: 'utf8' })).toBe('hello 2.0\n');
  expect(readdirSync(home).filter((name) => name.startsWith('payload'))).toEqual(['payload']);
});
