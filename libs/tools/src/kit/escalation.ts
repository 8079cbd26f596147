import { fieldsOf } from './presentation.ts';

/**
 * Refuses the escalation pair where nothing confines. The parameters are not advertised then, but the
 * argument root is open, so a model can still send them; ignoring them would let it believe in a grant.
 */
export function refuseEscalation(args: unknown, service: 'executor' | 'filesystem'): void {
  const { sandbox_permissions: permissions, justification } = fieldsOf(args);
  if (permissions === undefined && justification === undefined) return;
  if (permissions === undefined)
    throw new Error('invalid escalation: justification is only valid together with sandbox_permissions');
  if (justification === undefined) throw new Error('invalid escalation: sandbox_permissions requires a justification');
  if (typeof justification !== 'string' || justification.trim() === '')
    throw new Error('invalid justification: expected a non-empty sentence');
  throw new Error(`sandbox_permissions is not available in this composition (no sandboxing ${service} to escalate)`);
}
