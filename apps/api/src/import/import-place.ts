import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf } from '../platform/auth/tenant.ts';
import type { OneAtATime, Place } from './one-at-a-time.ts';

const ROUTE = '/v1/sessions/import';
const places = new WeakMap<FastifyRequest, Place>();

/** Lines imports up while nothing of their bodies has been read: each may have many megabytes. */
export function lineUpImports(fastify: FastifyInstance, line: OneAtATime): void {
  fastify.addHook('onRequest', async (request, { raw }) => {
    if (request.method !== 'POST' || request.routeOptions.url !== ROUTE) return;
    const who = callerOf(request);
    if (!who) throw new TypeError('imports are lined up before it is known whose they are');
    const sender = request.raw;
    const place = line.enter({
      tenant: who.tenant,
      // Whoever reads the body answers with the error; where nobody does, the connection is all there is to end.
      sendAway: (error) => void (sender.listenerCount('error') > 0 ? sender.emit('error', error) : sender.destroy()),
    });
    places.set(request, place);
    if (raw.destroyed) place.leave();
    else raw.once('close', () => place.leave());
  });
}

/** The place a request was given. */
export const ImportPlace = createParamDecorator((_: unknown, context: ExecutionContext): Place => {
  const place = places.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (!place) throw new TypeError('an import came without its place');
  return place;
});
