import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseRequestPart } from '../http/zod.pipe.ts';

const Headers = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible ASCII characters')
    .optional(),
});

/** The caller's `Idempotency-Key`: the same key with the same body is the same request, however often it is sent. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  const value = { 'idempotency-key': headers['idempotency-key'] };
  return parseRequestPart({ schema: Headers, part: 'header', value })['idempotency-key'];
});

/** For the OpenAPI document. */
export const idempotencyHeader = {
  name: 'Idempotency-Key',
  description: 'The same key with the same body is the same request for 7 days; with another body it is refused.',
};
