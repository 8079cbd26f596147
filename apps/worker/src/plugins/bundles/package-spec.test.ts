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
  expect(parseSpec(given, '/work')).toEqual({ kind: 'spec', spec });
});

test.each([
  'git+ssh://git@example.com/a.git',
  'git://example.com/a.git',
  'github:a/b',
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
