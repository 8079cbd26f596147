import { expect, test } from 'vitest';
import { ToolError } from '../../kit/index.ts';
import { assertDistinct, chooseProvider } from './search/choose-provider.ts';
import type { SearchProvider } from './search/search-provider.ts';
import { webFailure } from './web-failure.ts';

const provider = (id: string, missing?: ToolError) => ({ id, missing: () => missing }) as unknown as SearchProvider;
const noKey = new ToolError('WEB_PROVIDER_CREDENTIAL_MISSING', 'no key');

test.each([
  ['none that can be asked', [provider('a', noKey)], undefined, 'WEB_PROVIDER_UNAVAILABLE'],
  ['several', [provider('a'), provider('b')], undefined, 'WEB_PROVIDER_AMBIGUOUS'],
  ['one that is none', [provider('a')], 'c', 'WEB_PROVIDER_CONFIGURED_MISSING'],
  ['one without its key', [provider('a', noKey)], 'a', 'WEB_PROVIDER_CREDENTIAL_MISSING'],
])('%s: %s', (_what, providers, configured, code) => {
  expect(() => chooseProvider(providers, configured)).toThrow(expect.objectContaining({ code }));
});

test('the only usable one, or the configured one, whatever their order', () => {
  const both = [provider('a', noKey), provider('b')];
  expect([chooseProvider(both, undefined).id, chooseProvider(both.toReversed(), undefined).id]).toEqual(['b', 'b']);
  expect(chooseProvider([provider('a'), provider('b')], 'b').id).toBe('b');
});

test('two of one id are refused', () => {
  expect(() => assertDistinct([provider('a'), provider('a')])).toThrow(
    expect.objectContaining({ code: 'WEB_DUPLICATE_PROVIDER' }),
  );
  expect(assertDistinct([provider('a'), provider('b')])).toBeUndefined();
});

test.each([
  ['the deadline', 'deadline', 'WEB_FETCH_TIMEOUT'],
  ['the caller', 'caller', 'WEB_ABORTED'],
  ['nobody', undefined, 'WEB_PROVIDER_ERROR'],
] as const)('ended by %s', (_who, cause, code) => {
  const deadline = { firstCause: () => cause } as never;
  const error = new TypeError('fetch failed', { cause: new Error('other side closed') });
  expect(webFailure({ error, what: 'the page', deadline, timeoutMs: 5 })).toMatchObject({ code });
});

test('an error of ours inside that of a client is what counts', () => {
  const error = new TypeError('fetch failed', { cause: new ToolError('WEB_BLOCKED_URL', 'no') });
  const deadline = { firstCause: () => 'deadline' } as never;
  expect(webFailure({ error, what: 'x', deadline, timeoutMs: 5 })).toMatchObject({ code: 'WEB_BLOCKED_URL' });
});
