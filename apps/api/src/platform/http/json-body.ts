import type { FastifyInstance, FastifyRequest } from 'fastify';
import { IMAGE_LIMITS, IMAGE_MEDIA_TYPES } from '@everturn/core/domain';
import { ApiError } from '../errors/api-error.ts';

/** The largest body this API reads, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Reads JSON bodies strictly: invalid UTF-8 and invalid JSON are refused rather than repaired.
 * Fastify refuses a body over the limit by its header before reading it, and one without a header as soon as it grows past.
 */
export function readJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES } as const;
  fastify.addContentTypeParser<Buffer>('application/json', options, async (_request: FastifyRequest, body: Buffer) =>
    parseJson(body),
  );
}

/** Where pictures are uploaded: the one route that takes bytes. */
export const UPLOADS_PATH = '/v1/attachments';

/** Reads pictures as bytes where they are uploaded; elsewhere they are another media type than ours. */
export function readPictureBodies(fastify: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: IMAGE_LIMITS.maxBytes } as const;
  fastify.addContentTypeParser<Buffer>(
    [...IMAGE_MEDIA_TYPES],
    options,
    async (request: FastifyRequest, body: Buffer) => {
      if (request.routeOptions.url === UPLOADS_PATH) return body;
      throw new ApiError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'send the body as content-type application/json' });
    },
  );
}

/** Where exported logs are brought. */
const IMPORTS_PATH = '/v1/sessions/import';

/** The largest log that may be brought along, in bytes. */
const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

/** Hands bodies of imports over as they are; no other route takes any but JSON. */
export function readImports(fastify: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: MAX_IMPORT_BYTES } as const;
  fastify.addContentTypeParser<Buffer>(
    ['application/zip', 'application/x-ndjson'],
    options,
    async (request: FastifyRequest, body: Buffer) => {
      if (request.routeOptions.url === IMPORTS_PATH) return body;
      throw new ApiError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'send the body as content-type application/json' });
    },
  );
}

/** Parses a JSON text given as bytes; throws `INVALID_JSON`. An empty body counts as absent. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    // The parser's own message quotes the body, which may hold what a log must not.
    const what = cause instanceof SyntaxError ? 'JSON' : 'UTF-8';
    throw new ApiError({ code: 'INVALID_JSON', message: `the body is not valid ${what}`, cause });
  }
}
