import {
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';

/** The gRPC status codes that are told apart here. */
const status = {
  CANCELLED: 1,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** What went wrong between the API and a session's workflow, as far as the answer to the client depends on it. */
export type TemporalFailure =
  /** The session itself said no. */
  | { kind: 'refused'; code: string; message: string }
  /** Nobody answered in time; the message may still be on its way. */
  | { kind: 'unanswered' }
  /** This run takes no more updates. */
  | { kind: 'exhausted' }
  /** The session's workflow has ended, or ended while it was asked. */
  | { kind: 'ended' }
  /** A session of this id has lived before. */
  | { kind: 'duplicate' }
  /** Temporal cannot be reached or does not accept work. */
  | { kind: 'unavailable' }
  | { kind: 'unexpected' };

/** Classifies an error of the Temporal client. */
export function temporalFailure(error: unknown): TemporalFailure {
  if (error instanceof WorkflowExecutionAlreadyStartedError) return { kind: 'duplicate' };
  if (error instanceof WorkflowNotFoundError) return { kind: 'ended' };
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'unanswered' };
  if (error instanceof WorkflowUpdateFailedError) return fromUpdate(error.cause);
  const grpc = grpcErrorIn(error);
  return grpc === undefined ? { kind: 'unexpected' } : fromGrpc(grpc);
}

/** Codes by which the server says that it did nothing. */
const DONE_NOTHING: ReadonlySet<number> = new Set([
  status.NOT_FOUND,
  status.PERMISSION_DENIED,
  status.UNAUTHENTICATED,
  status.RESOURCE_EXHAUSTED,
  status.FAILED_PRECONDITION,
]);

/** Whether a call that failed certainly had no effect: it found no connection, or the server refused it. */
export function hadNoEffect(error: unknown): boolean {
  const grpc = grpcErrorIn(error);
  if (grpc?.code === status.UNAVAILABLE)
    return /^(No connection established|Name resolution failed)/.test(grpc.details ?? '');
  return grpc !== undefined && DONE_NOTHING.has(grpc.code);
}

function fromUpdate(cause: unknown): TemporalFailure {
  if (!(cause instanceof ApplicationFailure)) return { kind: 'unexpected' };
  // The server's own word for an update that was accepted by a workflow which then ended.
  if (cause.type === 'AcceptedUpdateCompletedWorkflow') return { kind: 'ended' };
  return { kind: 'refused', code: cause.type ?? 'INTERNAL', message: cause.message };
}

function fromGrpc(error: { code: number; details?: string; message: string }): TemporalFailure {
  switch (error.code) {
    case status.CANCELLED:
    case status.DEADLINE_EXCEEDED:
      return { kind: 'unanswered' };
    case status.NOT_FOUND:
      return /namespace/i.test(error.message) ? { kind: 'unavailable' } : { kind: 'ended' };
    case status.ALREADY_EXISTS:
      return { kind: 'duplicate' };
    case status.FAILED_PRECONDITION:
    case status.RESOURCE_EXHAUSTED:
      return { kind: 'exhausted' };
    case status.UNAVAILABLE:
    case status.ABORTED:
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return { kind: 'unavailable' };
    default:
      return { kind: 'unexpected' };
  }
}

function grpcErrorIn(error: unknown): { code: number; details?: string; message: string } | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (isGrpcServiceError(at)) return at;
  return undefined;
}
