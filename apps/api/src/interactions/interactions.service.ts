import { Inject, Injectable } from '@nestjs/common';
import {
  assertNever,
  canonicalJson,
  checkAnswers,
  type ApprovalOutcome,
  type JsonValue,
  type QuestionOutcome,
  type QuestionRequest,
} from '@everturn/core/domain';
import { listInteractions, type Database, type Interaction } from '@everturn/core/postgres';
import type { AnswerRequest, InteractionAnswer } from '@everturn/core/protocol';
import { AnswerMessenger } from '../platform/delivery/answer-messenger.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { RequestDesk } from '../platform/requests/request-desk.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import type { RequestReceipt } from '../platform/schemas/receipt.ts';
import { DATABASE } from '../platform/tokens.ts';

interface AnswerInput {
  key: SessionKey;
  interactionId: string;
  answer: InteractionAnswer;
  idempotencyKey: string | undefined;
}

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

  /** One answer wins; throws `ALREADY_ANSWERED` for the others, and `ANSWER_REFUSED` for one that does not fit. */
  async answer({ key, interactionId, answer, idempotencyKey }: AnswerInput): Promise<RequestReceipt> {
    const interaction = (await this.list(key, undefined)).find(({ id }) => id === interactionId);
    if (interaction?.kind !== kindOf(answer)) throw notFound(key, interactionId);
    const body = { interactionId, answer };
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'answer', body });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    if (interaction.state !== 'open') {
      // The first sending may have been delivered by a process that died before it could say so.
      const isOurs = request.history === 'repeated' && sameJson(interaction.outcome, outcomeOf(answer));
      if (isOurs) return { requestId, accepted: 'delivered' };
      throw settled(interaction);
    }
    refuseMisfit(interaction, answer);
    const message: AnswerRequest = { requestId, interactionId, answer };
    await this.desk.note(key, requestId, 'answer');
    const outcome = await this.desk.refusing(key, requestId, () =>
      this.messenger.answer(interaction.answerTo, message),
    );
    if (outcome === 'delivered') await this.desk.accepted(key, requestId);
    this.announcer.announce(key);
    return { requestId, accepted: outcome };
  }
}

const kindOf = (answer: InteractionAnswer): Interaction['kind'] =>
  answer.kind === 'approval' ? 'approval' : 'question';

/** What the row of an interaction says once the answer has been applied. */
function outcomeOf(answer: InteractionAnswer): ApprovalOutcome | QuestionOutcome {
  switch (answer.kind) {
    case 'approval':
      return answer.decision === 'allow' ? 'allowed-once' : 'rejected';
    case 'answers':
      return { kind: 'answered', answers: answer.answers };
    case 'dismissal':
      return { kind: 'dismissed' };
    default:
      return assertNever(answer);
  }
}

/** Asked here as well as by the workflow, which cannot refuse what reaches it while no worker is up. */
function refuseMisfit({ request }: Interaction, answer: InteractionAnswer): void {
  if (answer.kind !== 'answers') return;
  // Only the step writes this row, and of a question it is a checked request.
  const problem = checkAnswers((request as unknown as QuestionRequest).questions, answer.answers);
  if (problem !== undefined) throw new ApiError({ code: 'ANSWER_REFUSED', message: problem });
}

const sameJson = (one: unknown, other: unknown): boolean =>
  canonicalJson((one ?? null) as JsonValue) === canonicalJson(JSON.parse(JSON.stringify(other)) as JsonValue);

function notFound({ session }: SessionKey, id: string): ApiError {
  return new ApiError({
    code: 'INTERACTION_NOT_FOUND',
    message: `session "${session}" asks nothing of that kind as "${id}"`,
  });
}

function settled({ id, state, outcome }: Interaction): ApiError {
  return new ApiError({
    code: 'ALREADY_ANSWERED',
    message: `"${id}" is ${state} already`,
    details: { state, ...(outcome !== undefined && { outcome }) },
  });
}
