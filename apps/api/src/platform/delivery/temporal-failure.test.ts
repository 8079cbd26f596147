import {
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { expect, test } from 'vitest';
import { hadNoEffect, temporalFailure } from './temporal-failure.ts';

/** A gRPC error as the client wraps it. */
function grpc(code: number, details = ''): Error {
  const cause = Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });
  return new ServiceError('the call failed', { cause });
}

test.each([
  [new WorkflowUpdateRPCTimeoutOrCancelledError('late'), { kind: 'unanswered' }],
  [new WorkflowExecutionAlreadyStartedError('again', 'session:a', 'sessionWorkflow'), { kind: 'duplicate' }],
  [new WorkflowNotFoundError('gone', 'session:a', undefined), { kind: 'ended' }],
  [
    new WorkflowUpdateFailedError('no', ApplicationFailure.nonRetryable('full', 'QUEUE_FULL')),
    { kind: 'refused', code: 'QUEUE_FULL', message: 'full' },
  ],
  [
    new WorkflowUpdateFailedError('no', ApplicationFailure.nonRetryable('over', 'AcceptedUpdateCompletedWorkflow')),
    { kind: 'ended' },
  ],
  [grpc(4), { kind: 'unanswered' }],
  [grpc(5, 'workflow execution already completed'), { kind: 'ended' }],
  [grpc(5, 'Namespace everturn is not found'), { kind: 'unavailable' }],
  [grpc(8), { kind: 'exhausted' }],
  [grpc(9), { kind: 'exhausted' }],
  [grpc(14), { kind: 'unavailable' }],
  [grpc(3), { kind: 'unexpected' }],
  [new TypeError('a bug'), { kind: 'unexpected' }],
])('%s', (error, failure) => {
  expect(temporalFailure(error)).toEqual(failure);
});

test.each([
  [grpc(14, 'No connection established. Last error: connect ECONNREFUSED'), true],
  [grpc(14, 'Name resolution failed for target dns:nowhere'), true],
  [grpc(7), true],
  [grpc(8), true],
  [grpc(14, 'Connection dropped'), false],
  [grpc(4, 'Deadline exceeded after 5.001s'), false],
  [new WorkflowUpdateRPCTimeoutOrCancelledError('late'), false],
  [new TypeError('a bug'), false],
])('%s had no effect: %s', (error, certain) => {
  expect(hadNoEffect(error)).toBe(certain);
});
