import { z } from 'zod';

/** What tools may write: nothing, the workspace and temporary folders, or whatever the worker's user may. */
export const SandboxMode = z.enum(['read-only', 'workspace-write', 'danger-full-access']);
export type SandboxMode = z.infer<typeof SandboxMode>;

/** Whether processes reach a network. */
export const NetworkMode = z.enum(['none', 'full']);
export type NetworkMode = z.infer<typeof NetworkMode>;

/** Whether a person is asked, or every question counts as rejected. */
export const ApprovalPolicy = z.enum(['ask', 'never']);
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;

/** Whether a mode allows writes that another does not. */
export function isWider(mode: SandboxMode, than: SandboxMode): boolean {
  const { options } = SandboxMode; // from narrow to wide
  return options.indexOf(mode) > options.indexOf(than);
}
