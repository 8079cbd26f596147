import { createHash, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import type { RequestId, SessionHeader, SessionId, TenantId } from '@everturn/core/domain';
import {
  claimCreation,
  discardStartingSession,
  hostDetails,
  listLiveHosts,
  providersFor,
  type Database,
} from '@everturn/core/postgres';
import { SessionMessenger } from '../platform/delivery/session-messenger.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { PromptDesk, type Submitted } from '../platform/requests/prompt-desk.ts';
import { CommandDesk, commandIn } from '../platform/requests/command-desk.ts';
import { refuseUnknownModel } from '../platform/requests/known-models.ts';
import { ModelRoutes } from '../platform/requests/model-routes.ts';
import { PictureDesk, type AdmittedContent } from '../platform/requests/picture-desk.ts';
import { bodyText, type OpenedRequest } from '../platform/requests/request-desk.ts';
import { previewOf } from '../platform/schemas/content.ts';
import { CONFIG, DATABASE } from '../platform/tokens.ts';
import { refuseForeignWorkspace } from '../platform/requests/allowed-workspace.ts';
import { refuseUnknownToolsets } from './known-toolsets.ts';
import type { CreateSession } from './session-requests.ts';

export interface CreateInput {
  tenant: TenantId;
  body: CreateSession;
  idempotencyKey: string | undefined;
}

export interface Created {
  session: SessionId;
  outcome: 'created' | 'repeated';
  prompt?: Submitted;
}

/** Brings sessions into being: the row first, then the workflow, with the first prompt in the same call. */
@Injectable()
export class CreateSessionService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: ApiConfig,
    @Inject(PromptDesk) private readonly prompts: PromptDesk,
    @Inject(PictureDesk) private readonly pictures: PictureDesk,
    @Inject(ModelRoutes) private readonly routes: ModelRoutes,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(CommandDesk) private readonly commands: CommandDesk,
  ) {}

  /** Repeating a create (same id or same key, same body) answers like the first time; another body is refused. */
  async create({ tenant, body, idempotencyKey }: CreateInput): Promise<Created> {
    const named = body.id ?? (idempotencyKey === undefined ? undefined : keyedId(tenant, idempotencyKey));
    const key = { tenant, session: named ?? (`ses-${randomUUID()}` as SessionId) };
    await this.#refuseCommand(key, body);
    await this.#refuseUnusable(tenant, body);
    const content = await this.#admit(tenant, body);
    const request = await this.#claim(key, body);
    try {
      const prompt = await this.#start(key, content, request, named === undefined ? 'withdraw' : 'keep');
      return {
        session: key.session,
        outcome: request.history === 'new' ? 'created' : 'repeated',
        ...(prompt && { prompt }),
      };
    } catch (error) {
      // Nobody can repeat a create whose id only we know, so nothing of it may stay.
      if (named === undefined) await discardStartingSession(this.database, key);
      throw error;
    }
  }

  /** There is no session yet that a command could be about; a skill can be called for. */
  async #refuseCommand(key: SessionKey, { prompt }: CreateSession): Promise<void> {
    const command = prompt && commandIn(prompt);
    if (!command || !(await this.commands.isCommand(key, command.name))) return;
    const field = 'body.prompt';
    const message = `"/${command.name}" is a command: create the session, then send it there; a message that begins with a space is none`;
    throw new ApiError({ code: 'INVALID_REQUEST', message: `${field}: ${message}`, issues: [{ field, message }] });
  }

  async #refuseUnusable(tenant: TenantId, { workspace, provider, model, toolsets }: CreateSession): Promise<void> {
    if ([workspace, provider, model, toolsets].every((choice) => choice === undefined)) return;
    const hosts = await listLiveHosts(this.database);
    const told = hosts.map((host) => hostDetails(host));
    refuseUnknownModel(
      { provider, model },
      told.flatMap((details) => providersFor(details, tenant)),
    );
    refuseUnknownToolsets(
      toolsets,
      told.flatMap((details) => Object.keys(details.toolsets)),
    );
    const { workspaceRoots, dataDir } = this.config;
    const own = workspaceRoots.length > 0 ? workspaceRoots : [resolve(dataDir, 'workspaces')];
    refuseForeignWorkspace(workspace, [...new Set([...own, ...hosts.flatMap(({ roots }) => roots)])]);
  }

  async #claim({ tenant, session }: SessionKey, body: CreateSession): Promise<OpenedRequest> {
    const { id: _id, ...rest } = body;
    const { workspace, prompt, ...chosen } = rest;
    const header: SessionHeader = {
      version: 0,
      id: session,
      createdAt: Date.now(),
      ...(workspace !== undefined && { cwd: workspace }),
    };
    const claimed = await claimCreation(this.database, {
      tenant,
      session,
      header,
      options: JSON.parse(JSON.stringify(chosen)) as object,
      metadata: body.metadata ?? {},
      ...(body.model !== undefined && { model: body.model }),
      ...(prompt && { preview: previewOf(prompt) }),
      body: bodyText({ purpose: 'create', body: rest }),
      requestId: `req-${randomUUID()}` as RequestId,
    });
    if (claimed.kind === 'taken') throw taken(session);
    return { requestId: claimed.requestId, history: claimed.kind };
  }

  async #admit(tenant: TenantId, { prompt, provider, model }: CreateSession): Promise<AdmittedContent | undefined> {
    const route = () => this.routes.completed({ provider, model });
    return prompt && this.pictures.admit({ tenant, content: prompt, field: 'body.prompt', route });
  }

  async #start(
    key: SessionKey,
    content: AdmittedContent | undefined,
    request: OpenedRequest,
    onOutage: 'keep' | 'withdraw',
  ) {
    if (!content) {
      await this.messenger.start({ ...key, intent: 'create' });
      return undefined;
    }
    const source = { kind: 'user' } as const;
    return this.prompts.submit({
      key,
      request,
      mode: 'send',
      content: await content.store(),
      source,
      intent: 'create',
      onOutage,
    });
  }
}

function keyedId(tenant: TenantId, key: string): SessionId {
  return `ses-${createHash('sha256').update(`${tenant}\0${key}`).digest('hex').slice(0, 32)}` as SessionId;
}

function taken(session: SessionId): ApiError {
  return new ApiError({
    code: 'SESSION_EXISTS',
    message: `a session "${session}" exists already and was created otherwise`,
  });
}
