import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { Shutdown } from '../shutdown.ts';

/** What is asked to find out about this process, and so answered to its end. */
const ABOUT_THE_PROCESS: ReadonlySet<string> = new Set(['/v1/health/live', '/v1/health/ready', '/metrics']);

/** Refuses what comes once this process is about to end, as something another one can do. */
export function refuseWhileEnding(fastify: FastifyInstance, shutdown: Shutdown): void {
  fastify.addHook('onRequest', async (request) => {
    if (!shutdown.begun) return;
    if (ABOUT_THE_PROCESS.has(request.routeOptions.url ?? '')) return;
    throw new ApiError({ code: 'SHUTTING_DOWN', message: 'this process is about to end; send the request again' });
  });
  // A connection kept for more requests would keep the process; those that rest are closed once, and whoever waits is
  // answered about then.
  fastify.addHook('onSend', async (_request, reply) => {
    if (shutdown.begun) reply.header('connection', 'close');
  });
}
