import { randomUUID } from 'node:crypto';
import type { FastifyServerOptions } from 'fastify';
import { MAX_BODY_BYTES } from './json-body.ts';

/** How Fastify serves: bounded in size and time, with no room for smuggled prototypes. */
export const fastifyOptions = {
  bodyLimit: MAX_BODY_BYTES,
  // A body of 16 MiB may come over a slow line; a client that sends nothing at all is dropped.
  requestTimeout: 120_000,
  connectionTimeout: 0,
  keepAliveTimeout: 72_000,
  forceCloseConnections: 'idle',
  // The default of 100 is shorter than an id may be.
  routerOptions: { maxParamLength: 300 },
  genReqId: () => randomUUID(),
  logger: false,
} as const satisfies FastifyServerOptions;
