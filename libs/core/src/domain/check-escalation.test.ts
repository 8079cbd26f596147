import { describe, expect, test } from 'vitest';
import { checkEscalation, type EscalationRequest } from './check-escalation.ts';
import type { SandboxMode } from './sandbox-mode.ts';

const why = 'the build writes to its cache';
const narrow = (to: string, from: string) =>
  `sandbox escalation to "${to}" is not strictly wider than this call's current "${from}" mode`;

describe('a tool that needs a mode', () => {
  const operation = 'plugin_manager {"action":"list_bundles"}';
  const required = 'danger-full-access';
  const request = { required, operation } as const;

  test('asks by itself in a narrower session, and shows the call', () => {
    const reason = `escalate sandbox to danger-full-access: ${operation}`;
    expect(checkEscalation({ request, mode: 'read-only' })).toEqual({ kind: 'ask', mode: required, reason });
    expect(checkEscalation({ request, mode: 'danger-full-access' })).toEqual({ kind: 'clear' });
  });

  test('asked for in words, shows them and the call; a mode that does not suffice is refused unasked', () => {
    const asked = { ...request, justification: why };
    expect(checkEscalation({ request: { ...asked, permissions: required }, mode: 'read-only' })).toEqual({
      kind: 'ask',
      mode: required,
      reason: `escalate sandbox to danger-full-access: ${why} (${operation})`,
    });
    expect(checkEscalation({ request: { ...asked, permissions: 'workspace-write' }, mode: 'read-only' })).toEqual({
      kind: 'refused',
      message: 'sandbox escalation to "workspace-write" does not suffice: this call needs "danger-full-access"',
    });
  });
});

describe('a wish for a wider mode', () => {
  test.each<[EscalationRequest, SandboxMode, string]>([
    [
      { permissions: 'workspace-write' },
      'read-only',
      'invalid escalation: sandbox_permissions requires a justification',
    ],
    [
      { justification: why },
      'read-only',
      'invalid escalation: justification is only valid together with sandbox_permissions',
    ],
    [
      { permissions: 'workspace-write', justification: ' ' },
      'read-only',
      'invalid justification: expected a non-empty sentence',
    ],
    [
      { permissions: 'workspace-write', justification: 7 },
      'read-only',
      'invalid justification: expected a non-empty sentence',
    ],
    [
      { permissions: 'root', justification: why },
      'read-only',
      'invalid arguments: "sandbox_permissions" must be one of ["workspace-write","danger-full-access"]',
    ],
    [
      { permissions: 'workspace-write', justification: why },
      'workspace-write',
      narrow('workspace-write', 'workspace-write'),
    ],
    [
      { permissions: 'danger-full-access', justification: why },
      'danger-full-access',
      narrow('danger-full-access', 'danger-full-access'),
    ],
    [{ permissions: 'read-only', justification: why }, 'workspace-write', narrow('read-only', 'workspace-write')],
  ])('%j in %s is refused', (request, mode, message) => {
    expect(checkEscalation({ request, mode })).toEqual({ kind: 'refused', message });
  });

  test.each<[SandboxMode, SandboxMode]>([
    ['read-only', 'workspace-write'],
    ['read-only', 'danger-full-access'],
    ['workspace-write', 'danger-full-access'],
  ])('from %s to %s a person is asked', (mode, wanted) => {
    expect(checkEscalation({ request: { permissions: wanted, justification: why }, mode })).toEqual({
      kind: 'ask',
      mode: wanted,
      reason: `escalate sandbox to ${wanted}: ${why}`,
    });
  });
});
