import { Inject, Injectable } from '@nestjs/common';
import type { SessionId } from '@everturn/core/domain';
import { readSession, type Database, type SessionRow } from '@everturn/core/postgres';
import type { CancelRequest } from '@everturn/core/protocol';
import { SessionMessenger } from '../platform/delivery/session-messenger.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { ModelRoutes } from '../platform/requests/model-routes.ts';
import { PictureDesk } from '../platform/requests/picture-desk.ts';
import { PromptDesk, type SubmitInput, type Submitted } from '../platform/requests/prompt-desk.ts';
import { RequestDesk } from '../platform/requests/request-desk.ts';
import { agentMode, isEnded, SessionAccess } from '../platform/requests/session-access.ts';
import type { PromptReceipt, RequestReceipt } from '../platform/schemas/receipt.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { ChildPromptBody } from './child-requests.ts';

interface ChildInput {
  parent: SessionKey;
  child: SessionId;
  idempotencyKey: string | undefined;
}

/** Writes to agents and stops them, for people who name whom an agent works for. */
@Injectable()
export class ChildrenService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(PromptDesk) private readonly prompts: PromptDesk,
    @Inject(PictureDesk) private readonly pictures: PictureDesk,
    @Inject(ModelRoutes) private readonly routes: ModelRoutes,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** One that has closed is brought back to life for it, as long as the agent it works for lives. */
  async prompt({
    parent,
    child,
    idempotencyKey,
    body,
  }: ChildInput & { body: ChildPromptBody }): Promise<PromptReceipt> {
    const family = await this.#find(parent, child);
    const { status, openTurn } = family.agent;
    const key = { ...parent, session: child };
    const { content, mode } = body;
    const route = () => this.routes.route(key);
    const admitted = await this.pictures.admit({ tenant: key.tenant, content, field: 'body.content', route });
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'prompt', body });
    // One that was taken before is answered like then, whatever became of the two.
    if (!(await this.prompts.isTaken(key, request))) refuseUnreachable(family);
    const submitted = await this.#submit({
      key,
      request,
      mode,
      content: await admitted.store(),
      source: { kind: 'user' },
      intent: status === 'closed' ? 'resume' : 'open',
      onOutage: idempotencyKey === undefined ? 'withdraw' : 'keep',
      ...(openTurn !== undefined && { openTurn }),
    });
    return { ...submitted, requestId: submitted.promptId };
  }

  /** Answers before the turn has ended; where none can run there is nothing to do. */
  async interrupt({ parent, child, idempotencyKey }: ChildInput): Promise<RequestReceipt> {
    const { agent } = await this.#find(parent, child);
    const key = { ...parent, session: child };
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'interrupt', body: null });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    await this.desk.note(key, requestId, 'interrupt');
    const idle = agentMode(agent) !== 'continuable' || isEnded(agent);
    const stop = () => this.#stop(key, { requestId, cause: 'user', queue: 'park' });
    const accepted = idle ? 'delivered' : await stop();
    if (accepted === 'delivered') await this.desk.accepted(key, requestId);
    this.announcer.announce(key);
    return { requestId, accepted };
  }

  async #stop(key: SessionKey, message: CancelRequest): Promise<'delivered' | 'queued'> {
    const delivery = { ...key, name: 'cancel', message, intent: 'open', prefer: 'update' } as const;
    const { kind } = await this.desk.refusing(key, message.requestId, () => this.messenger.deliver(delivery));
    return kind === 'answered' ? 'delivered' : 'queued';
  }

  async #submit(input: SubmitInput): Promise<Submitted> {
    try {
      return await this.prompts.submit(input);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'SESSION_CLOSED') throw error;
      const message = `agent "${input.key.session}" is closing and took nothing; write to it again once it has closed`;
      throw new ApiError({ code: 'SUBAGENT_DELIVERY_UNAVAILABLE', message, cause: error });
    }
  }

  async #find(key: SessionKey, child: SessionId): Promise<Family> {
    const parent = await this.access.find(key);
    const agent = await readSession(this.database, { ...key, session: child });
    if (agent?.header.origin !== 'subagent')
      throw new ApiError({
        code: 'SUBAGENT_NOT_FOUND',
        message: `session "${key.session}" started no agent "${child}"`,
      });
    if (agent.parent === parent.id) return { parent, agent };
    const message = `agent "${child}" works for another session; name that one`;
    throw new ApiError({ code: 'SUBAGENT_UNAUTHORIZED', message });
  }
}

interface Family {
  parent: SessionRow;
  agent: SessionRow;
}

function refuseUnreachable({ parent, agent }: Family): void {
  if (agentMode(agent) !== 'continuable') {
    const message = `agent "${agent.id}" did its one task and cannot be written to`;
    throw new ApiError({ code: 'SUBAGENT_NOT_RESUMABLE', message });
  }
  if (isEnded(parent)) {
    const message = `session "${parent.id}" is ${parent.status}, and its agents with it; POST /v1/sessions/${parent.id}/resume reopens it`;
    throw new ApiError({ code: 'SUBAGENT_PARENT_UNAVAILABLE', message });
  }
  if (agent.status === 'broken') {
    const message = `agent "${agent.id}" is broken; POST /v1/sessions/${agent.id}/resume mends it`;
    throw new ApiError({ code: 'SESSION_BROKEN', message });
  }
}
