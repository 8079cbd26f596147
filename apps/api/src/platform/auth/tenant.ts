import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import type { FastifyRequest } from 'fastify';

const caller = new WeakMap<FastifyRequest, Caller>();

/** Who sent a request, as its API key says. */
export interface Caller {
  tenant: TenantId;
  /** Names the key without being it. */
  keyId: string;
}

/** Remembers who sent a request. */
export function identify(request: FastifyRequest, who: Caller): void {
  caller.set(request, who);
}

/** Who sent a request; `undefined` on public routes. */
export function callerOf(request: FastifyRequest): Caller | undefined {
  return caller.get(request);
}

/** The tenant a request acts for: the first condition of every query made for it. */
export const CallerTenant = createParamDecorator((_: unknown, context: ExecutionContext): TenantId => {
  const who = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (!who) throw new TypeError('a handler that needs a tenant is marked public');
  return who.tenant;
});
