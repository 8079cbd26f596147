import {
  assertNever,
  checkEscalation,
  PLAN_DENIAL,
  type ApprovalPolicy,
  type SandboxMode,
} from '@everturn/core/domain';
import type { EscalationSubject } from '@everturn/tools/kit';
import type { AssembledTool, Assembly, RequestedCall } from '../../contract/index.ts';

/** What our own policy says of a call; `by` tells the stages apart, between which listeners have their say. */
export type CallDecision =
  | { kind: 'run' }
  | { kind: 'deny'; by: 'plan' | 'escalation'; reason: string }
  | { kind: 'ask'; subject: EscalationSubject; mode: SandboxMode; reason: string };

export interface DecideCallInput {
  call: Pick<RequestedCall, 'name' | 'escalation'>;
  /** What is offered under its name. */
  tool: AssembledTool | undefined;
  plan: Assembly['plan'];
  /** The mode the call would run in; absent in work that began before there were any. */
  mode: SandboxMode | undefined;
}

/** Decides about a call before its body begins. Whether anybody may be asked is the approval policy's to say. */
export function decideCall({ call, tool, plan, mode }: DecideCallInput): CallDecision {
  if (!tool) return { kind: 'run' }; // there is nothing to guard, as its result will say
  const { readOnly } = plan ?? {};
  if (readOnly && !readOnly.includes(call.name)) return { kind: 'deny', by: 'plan', reason: PLAN_DENIAL };
  if (!call.escalation || !tool.escalation) return { kind: 'run' };
  if (!mode) return { kind: 'deny', by: 'escalation', reason: NO_MODE };
  const check = checkEscalation({ request: call.escalation, mode });
  switch (check.kind) {
    case 'clear':
      return { kind: 'run' };
    case 'refused':
      return { kind: 'deny', by: 'escalation', reason: check.message };
    case 'ask':
      return { ...check, subject: tool.escalation };
    default:
      return assertNever(check);
  }
}

const NO_MODE = 'sandbox_permissions is not available in this composition (no mode to escalate from)';

/** What a call is told whose wider mode nobody granted. */
export function notGranted(
  outcome: 'rejected' | 'cancelled' | 'unavailable',
  { subject, mode }: { subject: EscalationSubject; mode: SandboxMode },
): string {
  switch (outcome) {
    case 'rejected':
      return `the user rejected escalating this ${subject} to "${mode}"`;
    case 'cancelled':
      return `approval for escalating to "${mode}" was cancelled`;
    case 'unavailable':
      return `escalating this ${subject} to "${mode}" requires approval, but no approval channel is available`;
    default:
      return assertNever(outcome);
  }
}

/** What an approval comes to before anybody is asked; nothing where a person decides. */
export const withoutAsking = (policy: ApprovalPolicy | undefined): 'rejected' | undefined =>
  policy === 'never' ? 'rejected' : undefined;
