import type { TurnEndReason } from './events.ts';

/** How a child's run ended, for whoever delegated to it. */
export type ChildStop = 'completed' | 'aborted' | 'error' | 'max-tokens' | 'refusal';

/** Reads it from the end of the child's last turn; `undefined`: no turn of it ever ended. */
export function childStop(
  reason: TurnEndReason | undefined,
  { mode, cancelled }: { mode: 'one-shot' | 'continuable'; cancelled: boolean },
): ChildStop {
  if (!reason) return cancelled ? 'aborted' : 'error';
  switch (reason.kind) {
    case 'completed':
    case 'error':
    case 'max-tokens':
      return reason.kind;
    case 'aborted':
    case 'disposed':
      return 'aborted';
    case 'rejected':
      return 'refusal';
    case 'interrupted':
      return mode === 'one-shot' ? 'error' : 'aborted';
    default:
      return 'error'; // a kind of a plugin's own
  }
}

/** What went wrong in a turn, in words; nothing for turns that say no more than their kind. */
export function childDiagnostic(reason: TurnEndReason | undefined): string | undefined {
  switch (reason?.kind) {
    case 'error': {
      const { code, message } = 'failure' in reason ? reason.failure : reason;
      return code === undefined ? message : `${code}: ${message}`;
    }
    case 'rejected':
      return reason.reason;
    default:
      return undefined;
  }
}

/** The first line of what a parent's model reads of a run that did not complete. */
export function childHeadline(stop: string): string {
  switch (stop) {
    case 'aborted':
      return 'subagent run was cancelled';
    case 'error':
      return 'subagent run failed';
    case 'max-tokens':
      return 'subagent run hit its token limit before finishing';
    case 'refusal':
      return 'subagent declined the task';
    default:
      return `subagent run ended abnormally (${stop})`;
  }
}

/** UTF-8 bytes of a diagnostic that a parent's model is shown. */
export const MAX_DIAGNOSTIC_BYTES = 4_096;

/** The whole error: headline, what is known of the cause, and what the child had said by then. */
export function childErrorText(input: { stop: string; diagnostic?: string | undefined; output: string }): string {
  const { stop, diagnostic, output } = input;
  return [
    childHeadline(stop),
    ...(diagnostic ? [`Diagnostic: ${diagnostic}`] : []),
    ...(output ? ['Partial output before the run ended:', output] : []),
  ].join('\n');
}

export type DepthCheck = { kind: 'allowed'; depth: number } | { kind: 'refused'; message: string };

/** How deep a child would be, and whether it may be: the greater of what the header and the runtime say of its parent counts. */
export function checkDepth(input: {
  header: number | undefined;
  runtime?: number;
  maxDepth: number | 'provider-managed';
}): DepthCheck {
  const { header = 0, runtime = 0, maxDepth } = input;
  for (const depth of [header, runtime])
    if (!Number.isSafeInteger(depth) || depth < 0)
      throw new RangeError(`a delegation depth is a whole number from 0, not ${depth}`);
  const depth = Math.max(header, runtime) + 1;
  if (maxDepth === 'provider-managed' || depth <= maxDepth) return { kind: 'allowed', depth };
  return {
    kind: 'refused',
    message: `delegation depth ${depth} is above the limit of ${maxDepth}: do this part of the work yourself`,
  };
}

interface Filter {
  allow?: string[] | undefined;
  deny?: string[] | undefined;
}

/** The tools of a child: what the parent's choice and its own filter both leave; nothing where neither says anything. */
export function narrowTools(parent: Filter | undefined, own: Filter | undefined): Filter | undefined {
  if (!parent || !own) return parent ?? own;
  const deny = [...new Set([...(parent.deny ?? []), ...(own.deny ?? [])])];
  const allow =
    parent.allow && own.allow ? parent.allow.filter((name) => own.allow?.includes(name)) : (parent.allow ?? own.allow);
  return { ...(allow && { allow }), ...(deny.length > 0 && { deny }) };
}
