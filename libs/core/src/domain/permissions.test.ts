import { describe, expect, test } from 'vitest';
import { validateEventData } from './event-registry.ts';
import './permission-events.ts';
import {
  changePermissions,
  currentPreset,
  foldPermissions,
  openPermissions,
  type PermissionChange,
  type PermissionFact,
  type Permissions,
} from './permissions.ts';

const preset = (name: string): PermissionFact => ({ type: 'permission/preset', data: { preset: name } });
const mode = (to: Permissions['sandbox'], source?: 'delegation'): PermissionFact => ({
  type: 'sandbox/mode',
  data: { mode: to, ...(source && { source }) },
});
const policy = (to: Permissions['approval'], source?: 'delegation'): PermissionFact => ({
  type: 'approval/policy',
  data: { policy: to, ...(source && { source }) },
});
const usual: Permissions = { preset: 'workspace-write', sandbox: 'workspace-write', approval: 'ask' };

describe('a session opens', () => {
  const open = (given: Partial<Parameters<typeof openPermissions>[0]>) =>
    openPermissions({ recorded: {}, wanted: {}, fallback: 'workspace-write', delegated: false, ...given });

  test.each<[string, Parameters<typeof open>[0], Permissions, PermissionFact[]]>([
    ['fresh: all three', {}, usual, [preset('workspace-write'), mode('workspace-write'), policy('ask')]],
    [
      'by another preset',
      { wanted: { preset: 'danger-full-access' } },
      { preset: 'danger-full-access', sandbox: 'danger-full-access', approval: 'never' },
      [preset('danger-full-access'), mode('danger-full-access'), policy('never')],
    ],
    [
      'where the deployment trusts whoever asks: nobody is asked',
      { fallback: 'danger-full-access' },
      { preset: 'danger-full-access', sandbox: 'danger-full-access', approval: 'never' },
      [preset('danger-full-access'), mode('danger-full-access'), policy('never')],
    ],
    [
      'by knobs that fit a preset',
      { wanted: { sandboxMode: 'read-only' } },
      { preset: 'read-only', sandbox: 'read-only', approval: 'ask' },
      [preset('read-only'), mode('read-only'), policy('ask')],
    ],
    [
      'by knobs that fit none: no preset is written',
      { wanted: { approvalPolicy: 'never' } },
      { sandbox: 'workspace-write', approval: 'never' },
      [mode('workspace-write'), policy('never')],
    ],
    ['again: nothing, whatever the deployment says now', { recorded: usual, fallback: 'read-only' }, usual, []],
    [
      'with a part of it: only what lacks',
      { recorded: { sandbox: 'workspace-write' } },
      usual,
      [preset('workspace-write'), policy('ask')],
    ],
    [
      'for an agent: never asks, whatever its prefix says',
      { recorded: usual, delegated: true },
      { ...usual, approval: 'never' },
      [policy('never', 'delegation')],
    ],
    [
      "for an agent with its parent's mode",
      { wanted: { sandboxMode: 'read-only' }, delegated: true },
      { sandbox: 'read-only', approval: 'never' },
      [mode('read-only', 'delegation'), policy('never', 'delegation')],
    ],
  ])('%s', (_name, given, permissions, missing) => {
    expect(open(given)).toEqual({ permissions, missing });
  });
});

describe('a change', () => {
  const modeTold = 'The sandbox mode changed from "workspace-write" to "danger-full-access" (changed by the user).';
  const policyTold = 'The approval policy changed from "ask" to "never" (changed by the user).';

  test.each<[string, Permissions, PermissionChange, PermissionFact[], string[]]>([
    ['to the current preset writes nothing', usual, { preset: 'workspace-write' }, [], []],
    [
      'of the preset: name first, then what it changes',
      usual,
      { preset: 'danger-full-access' },
      [preset('danger-full-access'), mode('danger-full-access'), policy('never')],
      [modeTold, policyTold],
    ],
    [
      'between presets of one policy leaves the policy',
      { preset: 'read-only', sandbox: 'read-only', approval: 'ask' },
      { preset: 'workspace-write' },
      [preset('workspace-write'), mode('workspace-write')],
      ['The sandbox mode changed from "read-only" to "workspace-write" (changed by the user).'],
    ],
    ['of one knob', usual, { approvalPolicy: 'never' }, [policy('never')], [policyTold]],
    ['of a knob to what it is', usual, { sandboxMode: 'workspace-write' }, [], []],
    [
      'back from custom repairs the knob that drifted',
      { ...usual, approval: 'never' },
      { preset: 'workspace-write' },
      [preset('workspace-write'), policy('ask')],
      ['The approval policy changed from "never" to "ask" (changed by the user).'],
    ],
  ])('%s', (_name, before, change, facts, notices) => {
    const result = changePermissions(before, change);
    expect(result).toMatchObject({ facts, notices });
    expect({ ...before, ...foldPermissions(facts) }).toEqual(result.permissions);
  });

  test('a knob alone makes a preset custom, and back makes it the recorded one again', () => {
    const drifted = changePermissions(usual, { approvalPolicy: 'never' }).permissions;
    expect(currentPreset(drifted)).toBe('custom');
    expect(currentPreset(changePermissions(drifted, { approvalPolicy: 'ask' }).permissions)).toBe('workspace-write');
    expect(currentPreset({ sandbox: 'read-only', approval: 'ask' })).toBe('read-only');
  });
});

test.each([
  ['sandbox/mode', { mode: 'root' }, 'sandbox/mode.data.mode'],
  ['approval/policy', { policy: 'always' }, 'approval/policy.data.policy'],
  ['permission/preset', { preset: '' }, 'permission/preset.data.preset'],
])('a log with a word nobody knows is refused, and told where: %s', (type, data, where) => {
  expect(() => validateEventData(type, data)).toThrow(where);
});
