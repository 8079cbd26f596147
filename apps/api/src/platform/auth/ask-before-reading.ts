import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { refuseForeignBody } from '../http/json-body.ts';
import type { KeyRing } from './key-ring.ts';

/** Methods whose bodies nobody reads; what is public is got by them. */
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Asks for the key, and for a body that the route takes, while none of the body has been read: guards come after it
 * was, and it may have many megabytes.
 */
export function askBeforeReading(fastify: FastifyInstance, keys: KeyRing): void {
  fastify.addHook('onRequest', async (request) => {
    if (BODILESS.has(request.method)) return;
    if (request.is404) throw new NotFoundException();
    await keys.admit(request);
    refuseForeignBody(request);
  });
}
