import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { KeyRing } from './key-ring.ts';
import { PUBLIC } from './public.ts';

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
    await this.keys.admit(request);
    return true;
  }
}
