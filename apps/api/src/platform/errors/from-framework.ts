import { HttpException } from '@nestjs/common';
import { IMAGE_LIMITS } from '@everturn/core/domain';
import { MAX_BODY_BYTES } from '../http/json-body.ts';
import { ApiError } from './api-error.ts';

/** What Fastify and Nest themselves refuse, in our terms; `undefined` for anything else. */
export function fromFramework(error: unknown): ApiError | undefined {
  const { code, status } = traits(error);
  switch (code) {
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError({ code: 'INVALID_REQUEST', message: 'the body does not have the length its header says' });
    case 'FST_ERR_BAD_URL':
      return new ApiError({ code: 'INVALID_REQUEST', message: 'the URL holds a malformed percent escape' });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError({ code: 'INVALID_REQUEST', message: 'a part of the path is too long' });
    default:
      return fromStatus(status);
  }
}

function fromStatus(status: number | undefined): ApiError | undefined {
  if (status === undefined || status >= 500) return undefined;
  if (status === 404) return new ApiError({ code: 'ROUTE_NOT_FOUND', message: 'no such route; see /v1/openapi.json' });
  if (status === 413)
    return new ApiError({
      code: 'BODY_TOO_LARGE',
      message: `the body is too large: JSON may have ${MAX_BODY_BYTES} bytes, a picture ${IMAGE_LIMITS.maxBytes}`,
    });
  if (status === 415)
    return new ApiError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'send the body as content-type application/json' });
  return new ApiError({ code: 'INVALID_REQUEST', message: 'the request is malformed' });
}

function traits(error: unknown): { code?: string; status?: number } {
  if (error instanceof HttpException) return { status: error.getStatus() };
  if (!(error instanceof Error)) return {};
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof statusCode === 'number' && { status: statusCode }),
  };
}
