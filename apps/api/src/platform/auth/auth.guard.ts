import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { KeyRing } from './key-ring.ts';
import { PUBLIC } from './public.ts';
import { identify } from './tenant.ts';

/** Lets a request through only with a valid API key, and binds it to the key's tenant. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(KeyRing) private readonly keys: KeyRing,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean>(PUBLIC, context.getHandler())) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = await this.keys.callerOf(bearer(request.headers.authorization));
    if (!caller) throw new ApiError({ code: 'UNAUTHENTICATED', message: 'the API key is unknown, expired or revoked' });
    identify(request, caller);
    return true;
  }
}

function bearer(header: string | undefined): string {
  const [, secret] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  if (secret !== undefined) return secret;
  throw new ApiError({ code: 'UNAUTHENTICATED', message: 'send the header "Authorization: Bearer evt_…"' });
}
