import { expect, test } from 'vitest';
import { parseSpec, registryFault } from './package-spec.ts';

test.each([
  ['left-pad', 'left-pad'],
  [' @acme/tools@^1.2.0 ', '@acme/tools@^1.2.0'],
  ['x@latest', 'x@latest'],
  ['./a.tgz', '/work/a.tgz'],
  ['file:a.tgz', '/work/a.tgz'],
  ['file:///srv/a.tgz', '/srv/a.tgz'],
  ['/srv/a.tgz', '/srv/a.tgz'],
  ['https://example.com/a.tgz', 'https://example.com/a.tgz'],
])('%j is asked for as %j', (given, spec) => {
  expect(parseSpec(given, '/work')).toEqual({ kind: 'npm', spec });
});

test.each([
  ['git+https://example.com/a.git', { url: 'https://example.com/a.git' }],
  ['git+https://example.com/a.git#v1.2', { url: 'https://example.com/a.git', ref: 'v1.2' }],
  ['git+ssh://git@example.com/a.git#feature/x', { url: 'ssh://git@example.com/a.git', ref: 'feature/x' }],
  ['git+file:///srv/a.git', { url: 'file:///srv/a.git' }],
  ['github:a/b#main', { url: 'https://github.com/a/b.git', ref: 'main' }],
])('%j is checked out from %j', (given, source) => {
  expect(parseSpec(given, '/work')).toEqual({ kind: 'git', source });
});

test.each([
  'git://example.com/a.git',
  'git+ftp://example.com/a.git',
  'git+https://me@example.com/a.git',
  'git+ssh://git:pw@example.com/a.git',
  'git+https://example.com/a.git#--upload-pack=x',
  'git+https://example.com/a.git#semver:^1',
  'git+https://example.com/a.git#a#b',
  'git+ext::sh -c id',
  'github:a/../b/c',
  'a/b',
  'x@npm:y',
  'x@git+https://example.com/a.git',
  '--global',
  '-g',
  'https://me:pw@example.com/a.tgz',
  'a b',
  'Upper',
  'a\0b',
  'https://',
])('%j is refused', (given) => {
  expect(parseSpec(given, '/work')).toMatchObject({ kind: 'refused', message: expect.stringContaining(given) });
});

test('a registry is an address without credentials', () => {
  expect(registryFault('https://registry.example.com/')).toBeUndefined();
  expect(registryFault('file:///etc')).toContain('http or https');
  expect(registryFault('https://:pw@example.com')).toContain('credentials');
});
