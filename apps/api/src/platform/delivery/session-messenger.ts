import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestId, SessionId, TenantId } from '@everturn/core/domain';
import type { ApiConfig } from '@everturn/core/config';
import {
  SESSION_WORKFLOW,
  sessionWorkflowId,
  type SessionMessageName,
  type WithdrawMessage,
} from '@everturn/core/protocol';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { ApiError } from '../errors/api-error.ts';
import { ProblemCode } from '../errors/problem.ts';
import { CONFIG, TEMPORAL } from '../tokens.ts';
import { deliveries } from './delivery-metrics.ts';
import { sessionStart, type StartIntent } from './session-start.ts';
import { hadNoEffect, temporalFailure, type TemporalFailure } from './temporal-failure.ts';

/** How long a session may take to answer before its message goes as a signal, in ms. */
const UPDATE_TIMEOUT_MS = 2_000;
const SIGNAL_TIMEOUT_MS = 5_000;
/** Pauses between attempts to take a message back, in ms; some eight minutes in all. */
const TAKE_BACK_AFTER_MS = [1_000, 5_000, 15_000, 30_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000];

export interface Delivery {
  session: SessionId;
  tenant: TenantId;
  name: SessionMessageName;
  message: { requestId: RequestId };
  intent: StartIntent;
  /** `signal` where the session's run is near the number of updates it can take. */
  prefer?: 'update' | 'signal';
  /** First words, in case this message starts the session's workflow. */
  summary?: string;
}

export type Delivered<Result> =
  | { kind: 'answered'; result: Result }
  /** Nobody answered in time; Temporal holds the message and the session will find it. */
  | { kind: 'queued' };

/**
 * Brings a message to a session: as an update, which answers, and if no worker answers in time as a signal, which
 * cannot be lost. Both carry the same request id, and the session takes a request id once.
 */
@Injectable()
export class SessionMessenger {
  readonly #client: Client;
  readonly #queues: string;

  constructor(@Inject(TEMPORAL) client: Client, @Inject(CONFIG) config: ApiConfig) {
    this.#client = client;
    this.#queues = config.temporal.taskQueue;
  }

  /**
   * Throws `ApiError`: the session's refusal, or `TEMPORAL_UNAVAILABLE` when nobody confirmed that it was handed over; see
   * {@link mayHaveCome}.
   */
  async deliver<Result>(delivery: Delivery): Promise<Delivered<Result>> {
    let doubt: unknown;
    if (delivery.prefer !== 'signal') {
      const outcome = await this.#update(delivery);
      if (outcome.kind === 'answered')
        return count({ kind: 'answered', result: outcome.result as Result }, delivery, 'update');
      switch (outcome.kind) {
        case 'refused':
          throw refusal(outcome);
        case 'duplicate':
          throw new ApiError({ code: 'SESSION_EXISTS', message: `session "${delivery.session}" has been used before` });
        case 'ended':
        case 'unexpected':
          throw ended(delivery, outcome);
        case 'unanswered':
        case 'exhausted':
        case 'unavailable':
          if (!hadNoEffect(outcome.error)) doubt = outcome.error;
      }
    }
    try {
      await this.#signal(delivery);
    } catch (error) {
      throw unavailable(doubt ?? error);
    }
    return count({ kind: 'queued' }, delivery, 'signal');
  }

  /** Makes sure a session's workflow runs; throws `TEMPORAL_UNAVAILABLE`. */
  async start(input: { session: SessionId; tenant: TenantId; intent: StartIntent }): Promise<void> {
    const { workflowId, ...options } = sessionStart({ ...input, queues: this.#queues });
    await this.#within(SIGNAL_TIMEOUT_MS, () =>
      this.#client.workflow.start(SESSION_WORKFLOW, { workflowId, ...options }),
    ).catch((error: unknown) => {
      if (temporalFailure(error).kind === 'duplicate') return;
      throw unavailable(error);
    });
  }

  /**
   * Has a session drop a message that its sender was told is withdrawn and that may have come all the same. Goes on, for
   * a while, until Temporal has taken that; never fails, and keeps no process.
   */
  async takeBack(session: SessionId, message: RequestId): Promise<void> {
    const handle = this.#client.workflow.getHandle(sessionWorkflowId(session));
    for (const pauseMs of [...TAKE_BACK_AFTER_MS, undefined]) {
      try {
        await this.#within(SIGNAL_TIMEOUT_MS, () => handle.signal<[WithdrawMessage]>('withdraw', { message }));
        return;
      } catch (error) {
        if (temporalFailure(error).kind === 'ended') return;
      }
      if (pauseMs !== undefined) await pause(pauseMs, undefined, { ref: false });
    }
  }

  async #update(
    delivery: Delivery,
  ): Promise<{ kind: 'answered'; result: unknown } | (TemporalFailure & { error: unknown })> {
    const options = sessionStart({ ...delivery, queues: this.#queues });
    const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(SESSION_WORKFLOW, options);
    // The client also rejects the handle nobody here waits for.
    startWorkflowOperation.workflowHandle().catch(() => {});
    try {
      const result = await this.#within(UPDATE_TIMEOUT_MS, () =>
        this.#client.workflow.executeUpdateWithStart<Workflow, unknown, [unknown]>(delivery.name, {
          args: [delivery.message],
          updateId: delivery.message.requestId,
          startWorkflowOperation,
        }),
      );
      return { kind: 'answered', result };
    } catch (error) {
      return { ...temporalFailure(error), error };
    }
  }

  async #signal(delivery: Delivery): Promise<void> {
    const { workflowIdConflictPolicy: _policy, ...options } = sessionStart({ ...delivery, queues: this.#queues });
    await this.#within(SIGNAL_TIMEOUT_MS, () =>
      this.#client.workflow.signalWithStart(SESSION_WORKFLOW, {
        ...options,
        // A create whose update already began the session must still reach it.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        signal: delivery.name,
        signalArgs: [delivery.message],
      }),
    );
  }

  #within<T>(timeoutMs: number, call: () => Promise<T>): Promise<T> {
    return this.#client.connection.withDeadline(Date.now() + timeoutMs, call);
  }
}

function count<T>(outcome: T, { name }: Delivery, via: 'update' | 'signal'): T {
  deliveries.inc({ message: name, via });
  return outcome;
}

/** Whether a message that could not be handed over, as `deliver` says, may have come after all. */
export function mayHaveCome({ cause }: ApiError): boolean {
  return !hadNoEffect(cause);
}

function unavailable(cause: unknown): ApiError {
  return new ApiError({
    code: 'TEMPORAL_UNAVAILABLE',
    message: 'Temporal does not answer; try again, with the same Idempotency-Key where one was sent',
    cause,
  });
}

function refusal(failure: { code: string; message: string }): ApiError {
  const code = ProblemCode.safeParse(failure.code);
  if (code.success) return new ApiError({ code: code.data, message: failure.message });
  return new ApiError({ code: 'INVALID_REQUEST', message: failure.message, details: { refusal: failure.code } });
}

function ended({ session }: Delivery, failure: TemporalFailure & { error: unknown }): ApiError | unknown {
  if (failure.kind !== 'ended') return failure.error;
  return new ApiError({
    code: 'SESSION_CLOSED',
    message: `session "${session}" closed while it was asked; resume it first`,
    cause: failure.error,
  });
}
