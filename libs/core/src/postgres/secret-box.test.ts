import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SecretBox } from './secret-box.ts';

const [first, second] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];

test('what is sealed comes back at its place, and differs each time', () => {
  const box = new SecretBox([first]);
  const sealed = box.seal('whsec_hush 🔑', 'wh_1');
  expect(sealed).not.toContain('hush');
  expect(sealed).not.toBe(box.seal('whsec_hush 🔑', 'wh_1'));
  expect(box.open(sealed, 'wh_1')).toBe('whsec_hush 🔑');
});

test('elsewhere, altered, cut or under another key it does not open', () => {
  const box = new SecretBox([first]);
  const sealed = box.seal('hush', 'wh_1');
  const altered = Buffer.from(sealed.split('.')[2] ?? '', 'base64');
  altered[20] = (altered[20] ?? 0) ^ 1;
  expect(box.open(sealed, 'wh_2')).toBeUndefined();
  expect(box.open(`${sealed.slice(0, 13)}${altered.toString('base64')}`, 'wh_1')).toBeUndefined();
  expect(box.open(`${sealed.slice(0, 13)}AAAA`, 'wh_1')).toBeUndefined();
  for (const other of [new SecretBox([second]), new SecretBox([])]) expect(other.open(sealed, 'wh_1')).toBeUndefined();
});

test('a key is changed by putting a new one before it', () => {
  const old = new SecretBox([first]);
  const changed = new SecretBox([second, first]);
  const sealed = old.seal('hush', 'wh_1');
  expect([changed.open(sealed, 'wh_1'), changed.isCurrent(sealed)]).toEqual(['hush', false]);
  const anew = changed.seal('hush', 'wh_1');
  expect([changed.isCurrent(anew), new SecretBox([second]).open(anew, 'wh_1')]).toEqual([true, 'hush']);
});

test('what was stored before there were keys is itself; without a key nothing is sealed', () => {
  const none = new SecretBox([]);
  expect([none.open('whsec_plain', 'wh_1'), none.canSeal, none.isCurrent('whsec_plain')]).toEqual([
    'whsec_plain',
    false,
    true,
  ]);
  expect(new SecretBox([first]).isCurrent('whsec_plain')).toBe(false);
  expect(() => none.seal('x', 'wh_1')).toThrow('without a key');
});
