import { describe, expect, test } from 'vitest';
import { SandboxMode } from '@everturn/core/domain';
import { permissionSections } from './permission-sections.ts';

describe('what the model is told of its permissions', () => {
  test.each(SandboxMode.options)('%s: the mode, what it allows, and the workspace', (sandbox) => {
    const sections = permissionSections({ sandbox, approval: 'ask' }, '/work');
    expect(sections.map(({ name, order }) => [name, order])).toEqual([
      ['sandbox:policy', 110],
      ['approval:policy', 115],
    ]);
    expect(sections[0]?.text).toMatch(new RegExp(`^Sandbox mode: ${sandbox}\\. .+\nWorkspace: /work$`));
  });

  test('never: not to ask; ask: how', () => {
    const [, never] = permissionSections({ sandbox: 'read-only', approval: 'never' }, undefined);
    const [, ask] = permissionSections({ sandbox: 'read-only', approval: 'ask' }, undefined);
    expect(never?.text).toContain('do not send sandbox_permissions');
    expect(ask?.text).toContain('retry that one call with sandbox_permissions');
  });

  test('a folder is no template', () => {
    expect(permissionSections({ sandbox: 'read-only', approval: 'ask' }, '/a/{{model}}')[0]?.text).not.toContain('{{');
  });
});
