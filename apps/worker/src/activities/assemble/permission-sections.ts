import { assertNever, type Permissions, type SandboxMode } from '@everturn/core/domain';
import type { PromptSection } from '../../plugins/index.ts';

/** What the model is told of its permissions; the same bytes while they are the same. */
export function permissionSections({ sandbox, approval }: Permissions, cwd: string | undefined): PromptSection[] {
  const root = cwd === undefined ? '' : `\nWorkspace: ${literal(cwd)}`;
  return [
    {
      name: 'sandbox:policy',
      order: 110,
      text: `Sandbox mode: ${sandbox}. ${allowed(sandbox)}${root}`,
    },
    { name: 'approval:policy', order: 115, text: `Approval policy: ${approval}. ${askable(approval)}` },
  ];
}

/** Sections are templates, and a folder may be called like a variable. */
const literal = (path: string): string => path.replaceAll('{{', '{ {');

function allowed(mode: SandboxMode): string {
  switch (mode) {
    case 'read-only':
      return 'Commands and file tools may read everything and write nothing.';
    case 'workspace-write':
      return 'Commands and file tools may read everything and write to the workspace and temporary folders only. Commands find /tmp empty each time.';
    case 'danger-full-access':
      return 'Commands and file tools may write wherever the user of the host may.';
    default:
      return assertNever(mode);
  }
}

function askable(policy: Permissions['approval']): string {
  return policy === 'never'
    ? 'Nobody is asked: do not send sandbox_permissions, it would be rejected. Work within the sandbox mode, and report what it kept you from.'
    : 'Where the sandbox denies what the task needs, retry that one call with sandbox_permissions and a justification; a person decides. Where nobody can be asked, the call is refused.';
}
