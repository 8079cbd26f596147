import { isWider, SandboxMode } from './sandbox-mode.ts';

/** What a call asks beyond its session's mode, as its arguments say it. */
export interface EscalationRequest {
  permissions?: unknown;
  justification?: unknown;
  /** The mode without which its tool does nothing, asked for or not. */
  required?: SandboxMode;
  /** What is to be done, for whoever decides about it: the call in words. */
  operation?: string;
}

export interface CheckEscalationInput {
  request: EscalationRequest;
  /** The mode the call would run in otherwise. */
  mode: SandboxMode;
}

/** Whether a person is to be asked, or need not be, or why the call is refused without. */
export type EscalationCheck =
  | { kind: 'clear' }
  | { kind: 'ask'; mode: SandboxMode; reason: string }
  | { kind: 'refused'; message: string };

/** Judges a call's wish for a wider sandbox mode, before anybody is asked and anything is done. */
export function checkEscalation({ request, mode }: CheckEscalationInput): EscalationCheck {
  const { permissions, justification, required, operation } = request;
  if (required && permissions === undefined && justification === undefined)
    return isWider(required, mode) ? ask(required, operation ?? 'the call needs it') : { kind: 'clear' };
  if (justification === undefined) return refused('invalid escalation: sandbox_permissions requires a justification');
  if (permissions === undefined)
    return refused('invalid escalation: justification is only valid together with sandbox_permissions');
  if (typeof justification !== 'string' || justification.trim() === '')
    return refused('invalid justification: expected a non-empty sentence');
  const wanted = SandboxMode.safeParse(permissions);
  if (!wanted.success)
    return refused(
      `invalid arguments: "sandbox_permissions" must be one of ${JSON.stringify(SandboxMode.options.slice(1))}`,
    );
  if (!isWider(wanted.data, mode))
    return refused(
      `sandbox escalation to "${wanted.data}" is not strictly wider than this call's current "${mode}" mode`,
    );
  if (required && isWider(required, wanted.data))
    return refused(`sandbox escalation to "${wanted.data}" does not suffice: this call needs "${required}"`);
  return ask(wanted.data, operation === undefined ? justification : `${justification} (${operation})`);
}

const ask = (mode: SandboxMode, why: string): EscalationCheck => ({
  kind: 'ask',
  mode,
  reason: `escalate sandbox to ${mode}: ${why}`,
});

const refused = (message: string): EscalationCheck => ({ kind: 'refused', message });
