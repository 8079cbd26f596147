import { Inject, Injectable } from '@nestjs/common';
import type { ContentBlock, MessageEntry, MessageSource, RequestId } from '@everturn/core/domain';
import { acceptPrompt, inlineOrStore, readPrompt, type Database, type Prompt } from '@everturn/core/postgres';
import type { PromptReceipt, SubmitPrompt } from '@everturn/core/protocol';
import { Announcer } from '../follow/announcer.ts';
import { ApiError } from '../errors/api-error.ts';
import type { SessionKey } from '../follow/log-source.ts';
import { mayHaveCome, SessionMessenger } from '../delivery/session-messenger.ts';
import type { StartIntent } from '../delivery/session-start.ts';
import { UpdateBudget } from '../delivery/update-budget.ts';
import { previewOf } from '../schemas/content.ts';
import { DATABASE } from '../tokens.ts';
import { RequestDesk, type OpenedRequest } from './request-desk.ts';

/** Content above this many bytes travels through Temporal by reference: a thousand messages may wait in one session. */
export const INLINE_CONTENT_BYTES = 2 * 1024;

export interface SubmitInput {
  key: SessionKey;
  request: OpenedRequest;
  mode: 'send' | 'steer';
  expectedTurn?: number;
  /** Its pictures are stored. */
  content: ContentBlock[];
  source: MessageSource;
  intent: StartIntent;
  /** The turn that is open, as the session's row says. */
  openTurn?: number;
  /** What becomes of the message when Temporal cannot be reached: a caller with a key will send it again. */
  onOutage: 'keep' | 'withdraw';
}

/** How far a message came by the time its caller is answered. */
export type Submitted = { promptId: RequestId; accepted: 'delivered' | 'queued'; position?: number; turn?: number };

/** Takes messages for sessions: keeps each before it is sent, so that accepted means it cannot be lost. */
@Injectable()
export class PromptDesk {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(UpdateBudget) private readonly budget: UpdateBudget,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** Throws the session's refusal, also of an earlier sending; `TEMPORAL_UNAVAILABLE` when it could not be sent. */
  async submit(input: SubmitInput): Promise<Submitted> {
    const { key, request } = input;
    await this.desk.outcome(key, request);
    const known = await this.#known(key, request);
    if (known && known.state !== 'accepted') return receiptOf(known);
    const entry = known?.entry ?? (await this.#keep(input));
    try {
      return await this.#send(input, entry);
    } catch (error) {
      if (isOutage(error) && input.onOutage === 'withdraw') {
        await this.desk.withdraw(key, request.requestId);
        // Nobody waits for this: the caller has their answer, and it is to become true.
        if (mayHaveCome(error)) void this.messenger.takeBack(key.session, request.requestId);
      }
      throw error;
    }
  }

  /** Whether the session took this message at an earlier sending. */
  async isTaken(key: SessionKey, request: OpenedRequest): Promise<boolean> {
    const known = await this.#known(key, request);
    return known !== undefined && known.state !== 'accepted';
  }

  async #known(key: SessionKey, { requestId, history }: OpenedRequest): Promise<Prompt | undefined> {
    return history === 'new' ? undefined : readPrompt(this.database, { ...key, promptId: requestId });
  }

  async #keep({ key, request, mode, content, source }: SubmitInput): Promise<MessageEntry> {
    const entry: MessageEntry = {
      requestId: request.requestId,
      kind: 'prompt',
      content: await inlineOrStore(this.database, key.tenant, content, INLINE_CONTENT_BYTES),
      source,
      preview: previewOf(content),
    };
    await acceptPrompt(this.database, { ...key, mode, entry });
    return entry;
  }

  async #send(input: SubmitInput, entry: MessageEntry): Promise<Submitted> {
    const { key, request, mode, expectedTurn, intent, openTurn } = input;
    const { requestId } = request;
    const { content, source, preview } = entry;
    const message: SubmitPrompt = {
      requestId,
      mode,
      content,
      source,
      preview,
      ...(expectedTurn !== undefined && { expectedTurn }),
    };
    const prefer = this.budget.next(key.session, openTurn);
    const delivery = { ...key, name: 'submitPrompt', message, intent, prefer, summary: preview } as const;
    const outcome = await this.desk.refusing(key, requestId, () => this.messenger.deliver<PromptReceipt>(delivery));
    this.announcer.announce(key);
    if (outcome.kind === 'queued') return { promptId: requestId, accepted: 'queued' };
    const { position } = outcome.result;
    const steered = position < 0 && openTurn !== undefined;
    return {
      promptId: requestId,
      accepted: 'delivered',
      position: Math.max(position, 0),
      ...(steered && mode === 'steer' && { turn: openTurn }),
    };
  }
}

function receiptOf({ promptId, turn }: Prompt): Submitted {
  return { promptId, accepted: 'delivered', position: 0, ...(turn !== undefined && { turn }) };
}

function isOutage(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'TEMPORAL_UNAVAILABLE';
}
