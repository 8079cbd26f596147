import { describe, expect, test } from 'vitest';
import { text } from './content.ts';
import { canonicalHeader, headerOwed, headersEqual } from './header-equality.ts';
import type { EpochHeader } from './requests.ts';

const config = { provider: 'p', model: 'm' };
const tool = (name: string) => ({ name, description: '', parameters: { type: 'object' } });
const prefix = [{ role: 'user' as const, content: [text('x')] }];

describe('headers', () => {
  test('empty optional parts are absent', () => {
    expect(canonicalHeader({ config: { ...config, stop: [] }, system: '', tools: [], messagePrefix: [] })).toEqual({
      config,
    });
  });

  test.each<[string, EpochHeader, EpochHeader, boolean]>([
    ['the order of fields is nothing', { config: { model: 'm', provider: 'p' } }, { config, system: '' }, true],
    [
      'stop sequences count in order',
      { config: { ...config, stop: ['a', 'b'] } },
      { config: { ...config, stop: ['b', 'a'] } },
      false,
    ],
    [
      'tools count in order',
      { config, tools: [tool('a'), tool('b')] },
      { config, tools: [tool('b'), tool('a')] },
      false,
    ],
    ['equal tools', { config, tools: [tool('a')] }, { config, tools: [tool('a')] }, true],
    ['system text', { config, system: 'a' }, { config, system: 'b' }, false],
    ['prefix', { config, messagePrefix: prefix }, { config }, false],
    ['temperature 0 is not absent', { config: { ...config, temperature: 0 } }, { config }, false],
  ])('%s', (_what, a, b, equal) => {
    expect([headersEqual(a, b), headersEqual(b, a)]).toEqual([equal, equal]);
  });

  test('the first request of an instance always logs its header, later ones only a change', () => {
    expect(headerOwed({ digest: 'a', logHadHeader: false })).toBe('initial');
    expect(headerOwed({ digest: 'a', logHadHeader: true })).toBe('resume');
    expect(headerOwed({ digest: 'a', logged: 'a', logHadHeader: true })).toBeUndefined();
    expect(headerOwed({ digest: 'b', logged: 'a', logHadHeader: false })).toBe('change');
  });
});
