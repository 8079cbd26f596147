import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { findApiKey, type Database } from '@everturn/core/postgres';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { DATABASE } from '../tokens.ts';
import { callerOf, identify, type Caller } from './tenant.ts';

/** How long a key counts as valid without being looked up again, in ms; a revoked key works at most this long. */
const TRUST_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/** Knows whose key is whose, and remembers it for a moment so that a busy caller costs no query per request. */
@Injectable()
export class KeyRing {
  readonly #known = new Map<string, { caller: Caller; until: number }>();

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Binds a request to the tenant of its key; throws `UNAUTHENTICATED`. */
  async admit(request: FastifyRequest): Promise<void> {
    if (callerOf(request)) return;
    const caller = await this.callerOf(bearer(request.headers.authorization));
    if (!caller) throw new ApiError({ code: 'UNAUTHENTICATED', message: 'the API key is unknown, expired or revoked' });
    identify(request, caller);
  }

  /** Whether the key in such a header, by which a request was admitted, has neither been revoked nor expired since. */
  async isValid(authorization: string | undefined): Promise<boolean> {
    return (await this.callerOf(bearer(authorization))) !== undefined;
  }

  /** Whose key this is; `undefined` when it is unknown, expired or revoked. */
  async callerOf(secret: string): Promise<Caller | undefined> {
    const digest = createHash('sha256').update(secret).digest('base64');
    const known = this.#known.get(digest);
    if (known && known.until > performance.now()) return known.caller;
    this.#known.delete(digest);
    const key = await findApiKey(this.database, secret);
    if (!key) return undefined;
    const caller = { tenant: key.tenant, keyId: key.id };
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(digest, { caller, until: performance.now() + TRUST_MS });
    return caller;
  }
}

function bearer(header: string | undefined): string {
  const [, secret] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  if (secret !== undefined) return secret;
  throw new ApiError({ code: 'UNAUTHENTICATED', message: 'send the header "Authorization: Bearer evt_…"' });
}
