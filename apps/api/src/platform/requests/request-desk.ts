import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { canonicalJson, isDomainError, type RequestId } from '@everturn/core/domain';
import {
  claimIdempotencyKey,
  noteSentRequest,
  readIdempotencyKey,
  readRequest,
  reopenRequest,
  settleRequest,
  type Database,
  type RequestRow,
  type SentRequestKind,
} from '@everturn/core/postgres';
import { ApiError } from '../errors/api-error.ts';
import { ProblemCode } from '../errors/problem.ts';
import type { SessionKey } from '../follow/log-source.ts';
import { DATABASE } from '../tokens.ts';

/** A request with its id; `repeated` when the same key has asked the same before. */
export interface OpenedRequest {
  requestId: RequestId;
  history: 'new' | 'repeated';
}

interface OpenInput extends SessionKey {
  idempotencyKey: string | undefined;
  /** What the request asks for, so that a key serves one purpose. */
  purpose: string;
  body: unknown;
}

/** Refusals that say nothing about the request itself: sending it again may well succeed. */
const PASSING: ReadonlySet<ProblemCode> = new Set(['QUEUE_FULL', 'TEMPORAL_UNAVAILABLE']);

/** Gives requests their ids, once per idempotency key, and keeps what became of them. */
@Injectable()
export class RequestDesk {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Throws `IDEMPOTENCY_KEY_REUSED` for a key that was used for something else. */
  async open({ tenant, session, idempotencyKey, purpose, body }: OpenInput): Promise<OpenedRequest> {
    const requestId = `req-${randomUUID()}` as RequestId;
    if (idempotencyKey === undefined) return { requestId, history: 'new' };
    const claimed = await claimIdempotencyKey(this.database, {
      tenant,
      session,
      key: idempotencyKey,
      body: bodyText({ purpose, body }),
      requestId,
    });
    if (claimed.kind !== 'conflict') return { requestId: claimed.requestId, history: claimed.kind };
    throw new ApiError({
      code: 'IDEMPOTENCY_KEY_REUSED',
      message: `the Idempotency-Key "${idempotencyKey}" was used for another request; choose a new one`,
    });
  }

  /** Whether the same was asked before by this key, which {@link open} would say, too, but takes a key that is new. */
  async isRepeat({ tenant, session, idempotencyKey, purpose, body }: OpenInput): Promise<boolean> {
    if (idempotencyKey === undefined) return false;
    const known = { tenant, session, key: idempotencyKey, body: bodyText({ purpose, body }) };
    return (await readIdempotencyKey(this.database, known))?.kind === 'repeated';
  }

  /** Notes a request before it is sent, so that one can ask for its outcome at any time. */
  note(key: SessionKey, requestId: RequestId, kind: SentRequestKind): Promise<void> {
    return noteSentRequest(this.database, { ...key, requestId, kind });
  }

  /** The outcome of an earlier sending of the same request; throws it where it was a refusal for good. */
  async outcome(key: SessionKey, { requestId, history }: OpenedRequest): Promise<RequestRow | undefined> {
    if (history === 'new') return undefined;
    const known = await readRequest(this.database, { ...key, requestId });
    if (known?.outcome !== 'refused') return known;
    const code = ProblemCode.safeParse(known.code);
    if (code.success && PASSING.has(code.data)) {
      await reopenRequest(this.database, { ...key, requestId });
      return undefined;
    }
    throw new ApiError({
      code: code.success ? code.data : 'INVALID_REQUEST',
      message: known.message ?? 'refused before',
    });
  }

  /** Sends a request and keeps the session's refusal, if it is one, for those who ask later. */
  async refusing<T>(key: SessionKey, requestId: RequestId, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) {
        await this.#record(key, requestId, { kind: 'refused', code: error.code, message: error.message });
      }
      throw error;
    }
  }

  /** Records that the session took a request. */
  accepted(key: SessionKey, requestId: RequestId): Promise<void> {
    return this.#record(key, requestId, { kind: 'accepted' });
  }

  /** Gives a request up that could not be handed over, so that sending it anew does not run it twice. */
  withdraw(key: SessionKey, requestId: RequestId): Promise<void> {
    const message = 'could not be handed over and was withdrawn';
    return this.#record(key, requestId, { kind: 'refused', code: 'TEMPORAL_UNAVAILABLE', message });
  }

  #record(
    key: SessionKey,
    requestId: RequestId,
    outcome: Parameters<typeof settleRequest>[1]['outcome'],
  ): Promise<void> {
    return settleRequest(this.database, { ...key, requestId, outcome });
  }
}

/** The canonical text of what is asked for; throws `INVALID_REQUEST` for what cannot be written as such. */
export function bodyText(body: { purpose: string; body: unknown }): string {
  try {
    // Through text and back, because a validated body may hold members that are undefined.
    return canonicalJson(JSON.parse(JSON.stringify(body)));
  } catch (error) {
    if (!isDomainError(error)) throw error;
    throw new ApiError({ code: 'INVALID_REQUEST', message: error.message, cause: error });
  }
}
