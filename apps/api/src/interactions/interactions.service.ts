import { Inject, Injectable } from '@nestjs/common';
import type { ApprovalOutcome } from '@everturn/core/domain';
import { listInteractions, type Database, type Interaction } from '@everturn/core/postgres';
import type { AnswerRequest } from '@everturn/core/protocol';
import { AnswerMessenger } from '../platform/delivery/answer-messenger.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { RequestDesk } from '../platform/requests/request-desk.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import type { RequestReceipt } from '../platform/schemas/receipt.ts';
import { DATABASE } from '../platform/tokens.ts';

interface DecideInput {
  key: SessionKey;
  interactionId: string;
  decision: 'allow' | 'deny';
  idempotencyKey: string | undefined;
}

/** What an approval's outcome is called once the decision has been applied. */
const OUTCOMES = { allow: 'allowed-once', deny: 'rejected' } as const satisfies Record<string, ApprovalOutcome>;

/** Questions to people: which wait, and the answers to them. */
@Injectable()
export class InteractionsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(AnswerMessenger) private readonly messenger: AnswerMessenger,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** Oldest first. */
  async list(key: SessionKey, state: Interaction['state'] | undefined): Promise<Interaction[]> {
    await this.access.find(key);
    return listInteractions(this.database, { ...key, ...(state && { state }) });
  }

  /** One answer wins; throws `ALREADY_ANSWERED` for the others. */
  async decide({ key, interactionId, decision, idempotencyKey }: DecideInput): Promise<RequestReceipt> {
    const interaction = (await this.list(key, undefined)).find(({ id }) => id === interactionId);
    if (!interaction || interaction.kind !== 'approval') throw notFound(key, interactionId);
    const body = { interactionId, decision };
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'answer', body });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    if (interaction.state !== 'open') {
      // The first sending may have been delivered by a process that died before it could say so.
      const isOurs = request.history === 'repeated' && interaction.outcome === OUTCOMES[decision];
      if (isOurs) return { requestId, accepted: 'delivered' };
      throw settled(interaction);
    }
    const message: AnswerRequest = { requestId, interactionId, answer: { kind: 'approval', decision } };
    await this.desk.note(key, requestId, 'answer');
    const outcome = await this.desk.refusing(key, requestId, () =>
      this.messenger.answer(interaction.answerTo, message),
    );
    if (outcome === 'delivered') await this.desk.accepted(key, requestId);
    this.announcer.announce(key);
    return { requestId, accepted: outcome };
  }
}

function notFound({ session }: SessionKey, id: string): ApiError {
  return new ApiError({ code: 'INTERACTION_NOT_FOUND', message: `session "${session}" asks for no approval "${id}"` });
}

function settled({ id, state, outcome }: Interaction): ApiError {
  return new ApiError({
    code: 'ALREADY_ANSWERED',
    message: `"${id}" is ${state} already`,
    details: { state, ...(outcome !== undefined && { outcome }) },
  });
}
