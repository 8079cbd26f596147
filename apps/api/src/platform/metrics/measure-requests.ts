import type { FastifyInstance } from 'fastify';
import { requestSeconds } from './registry.ts';

/** Measures every answered request by its route, never by its path, which holds ids. */
export function measureRequests(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    requestSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
}
