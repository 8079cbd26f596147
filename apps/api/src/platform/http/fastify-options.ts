import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyServerOptions } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { fromFramework } from '../errors/from-framework.ts';
import { MAX_BODY_BYTES } from './json-body.ts';

/** How Fastify serves: bounded in size and time, with no room for smuggled prototypes. */
export const fastifyOptions: FastifyServerOptions = {
  bodyLimit: MAX_BODY_BYTES,
  // A body of 16 MiB may come over a slow line; a client that sends nothing at all is dropped.
  requestTimeout: 120_000,
  connectionTimeout: 0,
  keepAliveTimeout: 72_000,
  forceCloseConnections: 'idle',
  // We refuse them ourselves, with a code.
  return503OnClosing: false,
  // The default of 100 is shorter than an id may be.
  routerOptions: { maxParamLength: 300 },
  genReqId: () => randomUUID(),
  // What the router refuses never reaches Nest and its filter.
  frameworkErrors: (error, _request, reply: FastifyReply) => {
    const known =
      fromFramework(error) ?? new ApiError({ code: 'INVALID_REQUEST', message: 'the request is malformed' });
    void reply.code(known.status).type('application/json; charset=utf-8').send(JSON.stringify(known.problem));
  },
  logger: false,
};
