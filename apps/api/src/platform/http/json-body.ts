import type { FastifyInstance, FastifyRequest } from 'fastify';
import { IMAGE_LIMITS, IMAGE_MEDIA_TYPES } from '@everturn/core/domain';
import { ApiError } from '../errors/api-error.ts';

/** The largest JSON this API reads, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The largest log that may be brought along, in bytes. */
const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

const IMPORT_MEDIA_TYPES = ['application/zip', 'application/x-ndjson'] as const;

/** The routes that take bytes; all others take JSON. */
const BYTES_OF: Record<string, readonly string[]> = {
  '/v1/attachments': IMAGE_MEDIA_TYPES,
  '/v1/sessions/import': IMPORT_MEDIA_TYPES,
};

/**
 * Reads bodies strictly: invalid UTF-8 and invalid JSON are refused rather than repaired. Fastify refuses a body over
 * the limit by its header before reading it, and one without a header as soon as it grows past.
 */
export function readBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const read = (types: readonly string[], bodyLimit: number, parse: (body: Buffer) => unknown): void => {
    const options = { parseAs: 'buffer', bodyLimit } as const;
    fastify.addContentTypeParser<Buffer>([...types], options, async (_request: FastifyRequest, body: Buffer) =>
      parse(body),
    );
  };
  read(['application/json'], MAX_BODY_BYTES, parseJson);
  read(IMAGE_MEDIA_TYPES, IMAGE_LIMITS.maxBytes, (body) => body);
  read(IMPORT_MEDIA_TYPES, MAX_IMPORT_BYTES, (body) => body);
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` for a body that its route does not take. */
export function refuseForeignBody({ headers, routeOptions }: FastifyRequest): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const taken = BYTES_OF[routeOptions.url ?? ''] ?? ['application/json'];
  // Without a type there may be no body at all; where there is, Fastify refuses it.
  if (type === undefined || taken.includes(type)) return;
  const message = `send the body as content-type ${taken.join(' or ')}`;
  throw new ApiError({ code: 'UNSUPPORTED_MEDIA_TYPE', message });
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
