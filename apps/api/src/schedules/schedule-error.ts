import type { ScheduleId } from '@everturn/core/protocol';
import { isGrpcServiceError, ScheduleAlreadyRunning, ScheduleNotFoundError } from '@temporalio/client';
import { ApiError } from '../platform/errors/api-error.ts';

const INVALID_ARGUMENT = 3;

/** Runs a request about a schedule and says what Temporal refused in the words of this API. */
export async function aboutSchedule<T>(schedule: ScheduleId, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toApiError(schedule, error);
  }
}

function toApiError(schedule: ScheduleId, error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof ScheduleNotFoundError)
    return new ApiError({ code: 'SCHEDULE_NOT_FOUND', message: `no schedule "${schedule}"`, cause: error });
  if (error instanceof ScheduleAlreadyRunning)
    return new ApiError({ code: 'SCHEDULE_EXISTS', message: `a schedule "${schedule}" exists already`, cause: error });
  // So the client says that Temporal refused the times themselves.
  if (error instanceof TypeError) return invalidTimes(error.message, error);
  const grpc = grpcErrorIn(error);
  if (!grpc) return error;
  if (grpc.code === INVALID_ARGUMENT) return invalidTimes(grpc.details, error);
  return new ApiError({ code: 'TEMPORAL_UNAVAILABLE', message: 'Temporal does not answer; try again', cause: error });
}

function invalidTimes(message: string, cause: unknown): ApiError {
  const field = 'body.definition.times';
  return new ApiError({
    code: 'INVALID_REQUEST',
    message: `${field}: ${message}`,
    issues: [{ field, message }],
    cause,
  });
}

function grpcErrorIn(error: unknown): { code: number; details: string } | undefined {
  for (let at = error; at instanceof Error; at = at.cause as Error) if (isGrpcServiceError(at)) return at;
  return undefined;
}
