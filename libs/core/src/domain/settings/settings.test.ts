import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../json.ts';
import './prompt-settings.ts';
import { SHELL_DEFAULTS } from './shell-settings.ts';
import { changeSettings, effectiveSettings, settingsOf, type SettingsChange } from './change-settings.ts';
import {
  registerSettings,
  settingsNamespace,
  settingsNamespaces,
  type SettingsNamespace,
} from './settings-namespace.ts';

const open: SettingsNamespace = {
  name: 'anything',
  description: 'Anything',
  schema: z.looseObject({}),
  defaults: { a: { x: 1, y: 1 }, list: [1] },
  applies: 'live',
};
const titles = settingsNamespace('session-title') as SettingsNamespace;

test('the tenant goes before the deployment, that before the defaults, member by member', () => {
  expect(effectiveSettings(open, { base: { a: { y: 2 } }, user: { a: { z: 3 }, list: [] } })).toEqual({
    a: { x: 1, y: 2, z: 3 },
    list: [],
  });
});

test.each<[string, JsonObject, SettingsChange, JsonObject]>([
  ['update', { a: { x: 5 }, b: 1 }, { kind: 'update', patch: { a: { y: 6 } } }, { a: { x: 5, y: 6 }, b: 1 }],
  ['replace', { a: { x: 5 }, b: 1 }, { kind: 'replace', section: { b: 2 } }, { b: 2 }],
  ['set', {}, { kind: 'mutate', ops: [{ op: 'set', path: ['a', 'x'], value: 7 }] }, { a: { x: 7 } }],
  ['unset', { a: { x: 5, y: 6 } }, { kind: 'mutate', ops: [{ op: 'unset', path: ['a', 'x'] }] }, { a: { y: 6 } }],
  ['unset of nothing', { b: 1 }, { kind: 'mutate', ops: [{ op: 'unset', path: ['a', 'x'] }] }, { b: 1 }],
  [
    'a name that means something to JavaScript',
    {},
    { kind: 'mutate', ops: [{ op: 'set', path: ['__proto__', 'x'], value: 7 }] },
    JSON.parse('{"__proto__": {"x": 7}}') as JsonObject,
  ],
])('%s', (_what, user, change, wanted) => {
  const result = changeSettings(open, { user }, change);
  expect(result.kind !== 'rejected' && JSON.stringify(result.user)).toBe(JSON.stringify(wanted));
  expect(Object.prototype).not.toHaveProperty('x');
});

test('what is refused names its field and changes nothing; what is equal is no change', () => {
  const layers = { base: { cadence: 'first-prompt' }, user: { cadence: 'off' } };
  const change = (patch: JsonObject) => changeSettings(titles, layers, { kind: 'update', patch });
  expect(change({ cadence: 'daily' })).toMatchObject({ kind: 'rejected', issues: [{ field: 'cadence' }] });
  expect(change({ model: 'm' })).toEqual({
    kind: 'rejected',
    issues: [{ field: 'model', message: 'give provider and model together, or neither' }],
  });
  expect(change({ colour: 'red' })).toMatchObject({ kind: 'rejected' });
  expect(change({ cadence: 'off' })).toMatchObject({ kind: 'unchanged' });
  expect(change({ provider: 'p', model: 'm' })).toMatchObject({
    kind: 'changed',
    value: { cadence: 'off', provider: 'p', model: 'm' },
  });
});

test('who agents are is a template that can be filled for every session', () => {
  const prompt = settingsNamespace('prompt') as SettingsNamespace;
  const change = (patch: JsonObject) => changeSettings(prompt, {}, { kind: 'update', patch });
  expect(change({ persona: 'You are {{model}} of {{provider}}.' })).toMatchObject({
    kind: 'changed',
    value: { persona: 'You are {{model}} of {{provider}}.', instructionsBytes: 65_536 },
  });
  for (const persona of ['in {{cwd}}', '{{ model }}'])
    expect(change({ persona })).toMatchObject({ kind: 'rejected', issues: [{ field: 'persona' }] });
  expect(change({ instructionsBytes: -1 })).toMatchObject({
    kind: 'rejected',
    issues: [{ field: 'instructionsBytes' }],
  });
});

test('what a command may take is refused outside its bounds, by name, and keeps to what was said of the rest', () => {
  const shell = settingsNamespace('shell') as SettingsNamespace;
  const change = (patch: JsonObject) => changeSettings(shell, { base: { graceMs: 500 } }, { kind: 'update', patch });
  const refused: JsonObject[] = [
    { timeoutMs: 0 },
    { timeoutMs: 86_400_001 },
    { timeoutMs: '5s' },
    { maxTimeoutMs: -1 },
    { maxOutputBytes: 0 },
    { maxOutputBytes: 1_048_577 },
    { maxSpillBytes: -1 },
    { maxSpillBytes: 0.5 },
    { graceMs: 0 },
    { graceMs: 8_001 },
  ];
  for (const patch of refused)
    expect(change(patch)).toMatchObject({ kind: 'rejected', issues: [{ field: Object.keys(patch)[0] }] });
  expect(change({ enableRunInBackground: false })).toMatchObject({ kind: 'rejected' });
  expect(change({ timeoutMs: 500, maxSpillBytes: 0 })).toEqual({
    kind: 'changed',
    user: { timeoutMs: 500, maxSpillBytes: 0 },
    value: { ...SHELL_DEFAULTS, graceMs: 500, timeoutMs: 500, maxSpillBytes: 0 },
  });
});

test('settings that no longer hold together, as after an upgrade, count for nothing', () => {
  const base = { cadence: 'first-prompt' };
  expect(settingsOf('session-title', { base, user: { cadence: 'yearly' } })).toEqual(base);
  expect(settingsOf('session-title', { base, user: { cadence: 'off' } })).toEqual({ cadence: 'off' });
});

test('a name is given once and in one form', () => {
  expect(settingsNamespaces().map(({ name }) => name)).toContain('session-title');
  expect(() => registerSettings({ ...open, name: 'session-title' })).toThrow('registered already');
  expect(() => registerSettings({ ...open, name: 'Session Title' })).toThrow('kebab-case');
});

const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })) as fc.Arbitrary<JsonObject>;

test('an update twice is an update once, and a replacement with what there is none', () => {
  fc.assert(
    fc.property(object, object, (user, patch) => {
      const once = changeSettings(open, { user }, { kind: 'update', patch });
      if (once.kind === 'rejected') throw new Error('it takes anything');
      expect(changeSettings(open, { user: once.user }, { kind: 'update', patch }).kind).toBe('unchanged');
      expect(changeSettings(open, { user }, { kind: 'replace', section: structuredClone(user) }).kind).toBe(
        'unchanged',
      );
    }),
  );
});
