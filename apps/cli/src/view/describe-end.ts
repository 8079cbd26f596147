import type { LlmFailure, TurnEndReason } from '@everturn/core/domain';
import { inertLine } from '../terminal/inert.ts';

/** A model failure in one line: code, status, what the provider said. */
export function describeFailure({ code, status, message }: LlmFailure): string {
  return `${inertLine(code, 60)}${status === undefined ? '' : ` (HTTP ${status})`}: ${inertLine(message, 300)}`;
}

/** How a turn ended, for people, in one inert line. */
export function describeEnd(reason: TurnEndReason): string {
  switch (reason.kind) {
    case 'completed':
      return 'completed';
    case 'aborted':
      return 'cancelled';
    case 'disposed':
      return 'ended because the session was closed';
    case 'interrupted':
      return 'interrupted by a crash and closed by recovery';
    case 'max-tokens':
      return 'cut at the token limit of the model';
    case 'rejected':
      return `rejected: ${inertLine(reason.reason, 300)}`;
    case 'error':
      return `failed in step ${reason.step}: ${
        'failure' in reason ? describeFailure(reason.failure) : inertLine(errorText(reason), 400)
      }`;
    default:
      return inertLine(JSON.stringify(reason), 300);
  }
}

const errorText = ({ code, message }: { code?: string; message: string }): string =>
  code === undefined ? message : `${code}: ${message}`;
