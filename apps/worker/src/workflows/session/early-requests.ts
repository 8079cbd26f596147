import { patched } from '@temporalio/workflow';
import type { RequestId } from '@everturn/core/domain';
import type { SessionState } from './session-state.ts';

/** What a request that came before the log was open may have to pass over of what waits. */
export interface Waiting {
  /** Came in this life, and was dealt with as it came. */
  arrived: ReadonlySet<RequestId>;
  /** Of messages that came after cancels: those cancels. */
  cancelsBefore: Readonly<Record<RequestId, readonly RequestId[]>>;
}

/** What a request does with what the log says waits. */
export type EarlyRequest = (waiting: Waiting) => void;

/** Whether a request about what waits comes before that is known. */
export const isEarly = ({ opened }: SessionState): boolean => !opened && patched('early-requests');

/** Keeps it until the log is open, and answers only then. */
export function onceOpen(session: SessionState, request: EarlyRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    session.early.push((arrived) => {
      try {
        resolve(request(arrived));
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

/** What waits is known: does what was asked for meanwhile, in order, before anything runs. */
export function takeEarlyRequests(session: SessionState, waiting: Waiting): void {
  for (const request of session.early.splice(0)) request(waiting);
}
