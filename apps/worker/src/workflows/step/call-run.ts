import type { AuthoredEvent, SandboxMode } from '@everturn/core/domain';
import type { RequestedCall, ToolOutcome } from '../../contract/index.ts';

/** One call of a batch on its way from the message to its result. */
export interface CallRun {
  readonly call: RequestedCall;
  state: 'waiting' | 'running' | 'finished' | 'committed';
  /** How it ended; `thrown` is an infrastructure failure that ends the step once the batch is drained. */
  end?: CallEnd;
  /** A wider sandbox mode that a person allowed for this call. */
  granted?: SandboxMode;
  /** Its `tool/call`, which the result cites; absent until it starts. */
  called?: AuthoredEvent;
}

export type CallEnd =
  /** `final`: decided by a listener that threw, so the listeners after the body are not asked. */
  { kind: 'outcome'; outcome: ToolOutcome; final: boolean } | { kind: 'thrown'; error: Error };

/** Marks a call as finished. */
export function finish(run: CallRun, outcome: ToolOutcome, final = false): void {
  run.end = { kind: 'outcome', outcome, final };
  run.state = 'finished';
}
