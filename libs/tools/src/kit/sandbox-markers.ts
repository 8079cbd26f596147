import type { SandboxMode } from '@everturn/core/domain';
import type { EscalationSubject } from './escalation.ts';
import type { SandboxPolicy } from './sandbox-port.ts';
import { isToolError, ToolError } from './tool-error.ts';

/** Tells the model that policy, not the machine, refused a file operation. */
export const denialMarker = (mode: SandboxMode): string => `[sandbox: file access denied under ${mode} mode]`;

/** Tells the model how to ask for more, where more can be asked for. */
export const escalationHint = (subject: EscalationSubject): string =>
  `[sandbox: escalation available — retry this exact ${subject} once with sandbox_permissions (the narrowest wider mode that suffices) + justification; the approval prompt asks the user]`;

/**
 * Words a refusal of the fence as models know it from commands; any other failure stays as it is. A tool that takes no
 * wider mode says `no-way-out`.
 */
export async function showingDenial<T>(
  change: Promise<T>,
  { mode }: SandboxPolicy,
  escalation: 'may-be-asked' | 'no-way-out' = 'may-be-asked',
): Promise<T> {
  try {
    return await change;
  } catch (cause) {
    if (!isToolError(cause) || cause.code !== 'FS_SANDBOX_DENIED') throw cause;
    const marker = denialMarker(mode);
    throw new ToolError(
      'FS_SANDBOX_DENIED',
      escalation === 'may-be-asked' ? `${marker}\n${escalationHint('operation')}` : marker,
    );
  }
}
