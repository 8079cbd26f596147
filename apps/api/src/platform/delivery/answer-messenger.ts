import { Inject, Injectable } from '@nestjs/common';
import type { AnswerRequest } from '@everturn/core/protocol';
import type { Client } from '@temporalio/client';
import { ApiError } from '../errors/api-error.ts';
import { ProblemCode } from '../errors/problem.ts';
import { TEMPORAL } from '../tokens.ts';
import { deliveries } from './delivery-metrics.ts';
import { temporalFailure } from './temporal-failure.ts';

/** How long a waiting workflow may take to answer before the answer goes as a signal, in ms. */
const UPDATE_TIMEOUT_MS = 2_000;
const SIGNAL_TIMEOUT_MS = 5_000;

/** Brings answers to the workflow that waits for them, which a row of `interactions` names. */
@Injectable()
export class AnswerMessenger {
  constructor(@Inject(TEMPORAL) private readonly client: Client) {}

  /** Throws the workflow's refusal: `ALREADY_ANSWERED`, `ANSWER_REFUSED`, `INTERACTION_NOT_FOUND`; or `TEMPORAL_UNAVAILABLE`. */
  async answer(workflowId: string, message: AnswerRequest): Promise<'delivered' | 'queued'> {
    const handle = this.client.workflow.getHandle(workflowId);
    const { requestId } = message;
    try {
      await this.#within(UPDATE_TIMEOUT_MS, () =>
        handle.executeUpdate('answer', { args: [message], updateId: requestId }),
      );
      deliveries.inc({ message: 'answer', via: 'update' });
      return 'delivered';
    } catch (error) {
      refuse(error, message);
    }
    try {
      await this.#within(SIGNAL_TIMEOUT_MS, () => handle.signal('answer', message));
    } catch (error) {
      refuse(error, message);
      throw new ApiError({
        code: 'TEMPORAL_UNAVAILABLE',
        message: 'Temporal does not answer; send the answer again',
        cause: error,
      });
    }
    deliveries.inc({ message: 'answer', via: 'signal' });
    return 'queued';
  }

  #within<T>(timeoutMs: number, call: () => Promise<T>): Promise<T> {
    return this.client.connection.withDeadline(Date.now() + timeoutMs, call);
  }
}

/** Throws what a second way of sending would not change. */
function refuse(error: unknown, { interactionId }: AnswerRequest): void {
  const failure = temporalFailure(error);
  switch (failure.kind) {
    case 'refused': {
      const code = ProblemCode.safeParse(failure.code);
      throw new ApiError({ code: code.success ? code.data : 'INVALID_REQUEST', message: failure.message });
    }
    case 'ended':
    case 'duplicate':
      throw new ApiError({
        code: 'ALREADY_ANSWERED',
        message: `nothing waits for "${interactionId}" any more`,
        cause: error,
      });
    case 'unexpected':
      throw error;
    case 'unanswered':
    case 'exhausted':
    case 'unavailable':
  }
}
