import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens.ts';
import { ApiError } from './api-error.ts';
import { fromDatabase } from './from-database.ts';
import { fromFramework } from './from-framework.ts';

/** Turns whatever a request ended with into a problem body; unexpected errors show a reference, never their text. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const known = this.#explain(error, request);
    // A stream that already began has no status left to set; ending it is all a server can do.
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (known.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter));
    if (known.code === 'UNAUTHENTICATED') reply.header('www-authenticate', 'Bearer');
    // The rest of a refused body is not read, so the connection cannot serve another request.
    if (known.code === 'BODY_TOO_LARGE' || known.code === 'IMPORT_BUSY') reply.header('connection', 'close');
    void reply.status(known.status).type('application/json; charset=utf-8').send(known.problem);
  }

  #explain(error: unknown, request: FastifyRequest): ApiError {
    if (error instanceof ApiError) return error;
    const known = fromFramework(error) ?? fromDatabase(error);
    if (known) return known;
    this.logger.error(
      { err: error, request: request.id, route: request.routeOptions?.url },
      'request failed unexpectedly',
    );
    return new ApiError({
      code: 'INTERNAL',
      message: `something went wrong on our side; the log has it under request ${request.id}`,
      details: { request: request.id },
      cause: error,
    });
  }
}
