import { SandboxMode } from '@everturn/core/domain';
import type { ParameterSchema } from './json-schema.ts';
import { fieldsOf } from './presentation.ts';
import type { SandboxPolicy } from './sandbox-port.ts';

/** What a call's grant is about, in the words of its messages. */
export type EscalationSubject = 'command' | 'operation' | 'program' | 'plugin management operation';

const [, ...WIDER_MODES] = SandboxMode.options;

/** A tool's parameters with the pair that asks for a wider sandbox mode for one call. */
export function withEscalation(parameters: ParameterSchema): ParameterSchema {
  return {
    ...parameters,
    properties: {
      ...parameters.properties,
      sandbox_permissions: {
        type: 'string',
        enum: WIDER_MODES,
        description:
          'Run this one call in a wider sandbox mode than the session has: the narrowest that suffices. A person is asked first. Only after a call was denied by the sandbox; needs `justification`. Default: the mode of the session.',
      },
      justification: {
        type: 'string',
        description:
          'One sentence for the person who decides: what the call needs to write and why. Only together with `sandbox_permissions`.',
      },
    },
  };
}

/**
 * A body's last look: whoever runs it has asked for the grant before. The argument root is open, so a model
 * can send the pair wherever it likes, and ignoring it would let it believe in a grant.
 */
export function requireGrant(args: unknown, { granted }: Pick<SandboxPolicy, 'granted'>): void {
  const { sandbox_permissions: permissions, justification } = fieldsOf(args);
  if (permissions === undefined && justification === undefined) return;
  if (permissions === undefined || permissions !== granted)
    throw new Error('sandbox_permissions was not granted for this call, so nothing was run');
}
