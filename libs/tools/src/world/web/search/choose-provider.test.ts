import { expect, test } from 'vitest';
import { ToolError } from '../../../kit/index.ts';
import { assertDistinct, chooseProvider } from './choose-provider.ts';
import type { SearchProvider } from './search-provider.ts';

const provider = (id: string, missing?: ToolError): SearchProvider => ({
  id,
  missing: () => missing,
  search: () => Promise.resolve({ sources: [] }),
});
const noKey = new ToolError('WEB_PROVIDER_CREDENTIAL_MISSING', 'needs a key');

const chosen = (providers: SearchProvider[], configured?: string): string => {
  try {
    return chooseProvider(providers, configured).id;
  } catch (error) {
    return (error as ToolError).code;
  }
};

test.each([
  ['the only usable one', [provider('a', noKey), provider('b')], undefined, 'b'],
  ['the only usable one, whatever the order', [provider('b'), provider('a', noKey)], undefined, 'b'],
  ['the named one among several', [provider('a'), provider('b')], 'a', 'a'],
  ['nobody, where nobody is usable', [provider('a', noKey)], undefined, 'WEB_PROVIDER_UNAVAILABLE'],
  ['nobody, where several are', [provider('a'), provider('b')], undefined, 'WEB_PROVIDER_AMBIGUOUS'],
  ['nobody, where the named one is unknown', [provider('a')], 'z', 'WEB_PROVIDER_CONFIGURED_MISSING'],
  [
    'nobody, where the named one lacks its key',
    [provider('a', noKey), provider('b')],
    'a',
    'WEB_PROVIDER_CREDENTIAL_MISSING',
  ],
])('asks %s', (_whom, providers, configured, expected) => {
  expect(chosen(providers, configured)).toBe(expected);
});

test('two providers of one id are refused', () => {
  expect(() => assertDistinct([provider('a'), provider('a')])).toThrow(/two web search providers "a"/);
});
