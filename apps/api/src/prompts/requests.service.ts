import { Inject, Injectable } from '@nestjs/common';
import type { RequestId } from '@everturn/core/domain';
import { readPrompt, readRequest, readSentRequest, type Database, type PromptState } from '@everturn/core/postgres';
import { z } from 'zod';
import { ApiError } from '../platform/errors/api-error.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';

/** What became of a request. */
export const RequestOutcome = z
  .strictObject({
    requestId: z.string(),
    kind: z.string().optional().describe('what was asked; absent for requests older than 7 days'),
    outcome: z.enum(['pending', 'accepted', 'refused']),
    code: z.string().optional(),
    message: z.string().optional(),
    settledAt: z.string().optional(),
    prompt: z
      .strictObject({ state: z.enum(['accepted', 'queued', 'claimed', 'done', 'discarded']), turn: z.int().optional() })
      .optional(),
  })
  .meta({ id: 'RequestOutcome' });
export type RequestOutcome = z.output<typeof RequestOutcome>;

/** Tells what became of a request that was accepted before anybody could answer it. */
@Injectable()
export class RequestsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  /** Throws `REQUEST_NOT_FOUND` for a request the session was never sent. */
  async outcome(key: SessionKey, requestId: RequestId): Promise<RequestOutcome> {
    await this.access.find(key);
    const [settled, prompt, sent] = await Promise.all([
      readRequest(this.database, { ...key, requestId }),
      readPrompt(this.database, { ...key, promptId: requestId }),
      readSentRequest(this.database, { ...key, requestId }),
    ]);
    if (!settled && !prompt && !sent) {
      throw new ApiError({
        code: 'REQUEST_NOT_FOUND',
        message: `session "${key.session}" was sent no request "${requestId}"`,
      });
    }
    const kind = prompt?.mode ?? sent;
    return {
      requestId,
      ...(kind && { kind }),
      outcome: settled?.outcome ?? (prompt ? promptOutcome(prompt.state) : 'pending'),
      ...(settled?.code !== undefined && { code: settled.code }),
      ...(settled?.message !== undefined && { message: settled.message }),
      ...(settled && { settledAt: settled.settledAt.toISOString() }),
      ...(prompt && { prompt: { state: prompt.state, ...(prompt.turn !== undefined && { turn: prompt.turn }) } }),
    };
  }
}

/** A prompt that moved on was taken; whether one that did not has reached the session is not known yet. */
function promptOutcome(state: PromptState): 'pending' | 'accepted' {
  return state === 'accepted' ? 'pending' : 'accepted';
}
