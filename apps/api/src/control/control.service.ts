import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { text, type ContentBlock, type SessionId } from '@everturn/core/domain';
import { acceptPrompt, inlineOrStore, type Database, type SessionRow, releaseGoneHost } from '@everturn/core/postgres';
import type { CancelRequest, InjectContext, RenameSession } from '@everturn/core/protocol';
import { SessionMessenger } from '../platform/delivery/session-messenger.ts';
import { UpdateBudget } from '../platform/delivery/update-budget.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { ModelRoutes } from '../platform/requests/model-routes.ts';
import { PictureDesk } from '../platform/requests/picture-desk.ts';
import { INLINE_CONTENT_BYTES } from '../platform/requests/prompt-desk.ts';
import { RequestDesk } from '../platform/requests/request-desk.ts';
import { refuseEnded, SessionAccess } from '../platform/requests/session-access.ts';
import { previewOf } from '../platform/schemas/content.ts';
import type { RequestReceipt } from '../platform/schemas/receipt.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { InjectBody } from './control-requests.ts';
import { isReopened } from './is-reopened.ts';
import { quotationOf } from './quotation.ts';

interface ControlInput {
  key: SessionKey;
  idempotencyKey: string | undefined;
}

/** How long a resume waits for the new life to open the log, in ms. */
const REOPEN_MS = 5_000;
const REOPEN_POLL_MS = 50;

/** Stops, closes and adds context to sessions. */
@Injectable()
export class ControlService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(UpdateBudget) private readonly budget: UpdateBudget,
    @Inject(PictureDesk) private readonly pictures: PictureDesk,
    @Inject(ModelRoutes) private readonly routes: ModelRoutes,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** `clear` drops what waits, `park` keeps it until the next prompt; both stop the running turn. */
  async stop({
    key,
    idempotencyKey,
    queue,
  }: ControlInput & { queue: CancelRequest['queue'] }): Promise<RequestReceipt> {
    const row = await this.access.findOwn(key);
    const kind = queue === 'clear' ? 'cancel' : 'interrupt';
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: kind, body: null });
    if (await this.desk.outcome(key, request)) return { requestId: request.requestId, accepted: 'delivered' };
    refuseEnded(row);
    await this.desk.note(key, request.requestId, kind);
    this.announcer.announce(key);
    return this.#send(key, row, 'cancel', { requestId: request.requestId, cause: 'user', queue });
  }

  /** Closes for good; closing a closed session changes nothing. */
  async close({ key, idempotencyKey }: ControlInput): Promise<RequestReceipt> {
    const row = await this.access.findOwnOrStranded(key);
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'close', body: null });
    const { requestId } = request;
    if (row.status === 'closed' || (await this.desk.outcome(key, request))) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    await this.desk.note(key, requestId, 'close');
    return this.#send(key, row, 'close', { requestId });
  }

  /** Adds context that the next request to the model will hold, without asking for one. */
  async inject({ key, idempotencyKey, body }: ControlInput & { body: InjectBody }): Promise<RequestReceipt> {
    const row = await this.access.findOwn(key);
    const route = () => this.routes.route(key);
    const { tenant } = key;
    const admitted = await this.pictures.admit({ tenant, content: body.content, field: 'body.content', route });
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'inject', body });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    const { meta } = body;
    const content = await admitted.store();
    const given = { requestId, content, source: { kind: 'user' } as const, ...(meta !== undefined && { meta }) };
    return this.#inject(key, row, given, previewOf(body.content));
  }

  /** Quotes other sessions of the tenant, as they stand now. */
  async quote({ key, idempotencyKey, sessions }: ControlInput & { sessions: SessionId[] }): Promise<RequestReceipt> {
    const row = await this.access.findOwn(key);
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'inject', body: { sessions } });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    const quotation = await quotationOf(this.database, { ...key, sessions });
    const source = { kind: 'plugin', plugin: 'session-reference', form: 'quote' } as const;
    const content = [text(quotation)];
    return this.#inject(key, row, { requestId, content, source, meta: { sessions } }, `quotes ${sessions.join(', ')}`);
  }

  async #inject(
    key: SessionKey,
    row: SessionRow,
    given: Omit<InjectContext, 'content'> & { content: ContentBlock[] },
    preview: string,
  ): Promise<RequestReceipt> {
    const content = await inlineOrStore(this.database, key.tenant, given.content, INLINE_CONTENT_BYTES);
    const context: InjectContext = { ...given, content };
    const entry = { ...context, kind: 'injection' as const, preview };
    await acceptPrompt(this.database, { ...key, mode: 'inject', entry });
    return this.#send(key, row, 'inject', context);
  }

  /** Has the history shortened, if nothing runs. */
  async compact({ key, idempotencyKey }: ControlInput): Promise<RequestReceipt> {
    const row = await this.access.findOwn(key);
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'compact', body: null });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    await this.desk.note(key, requestId, 'compact');
    return this.#send(key, row, 'compact', { requestId });
  }

  /** Gives the session a title, which no other takes the place of. */
  async rename({ key, idempotencyKey, title }: ControlInput & { title: string }): Promise<RequestReceipt> {
    const row = await this.access.findOwn(key);
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'rename', body: { title } });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    await this.desk.note(key, requestId, 'rename');
    return this.#send(key, row, 'rename', { requestId, title });
  }

  /** Reopens a closed or broken session; one that is neither stays as it is. */
  async resume(key: SessionKey): Promise<SessionRow> {
    const row = await this.access.findOwnOrStranded(key);
    const intent = row.status === 'closed' || row.status === 'broken' ? 'resume' : 'open';
    // An open session's workflow may be gone all the same (terminated, say); starting it takes up where it was.
    if (intent === 'resume') return this.#reopen(key, row);
    await releaseGoneHost(this.database, key);
    await this.messenger.start({ ...key, intent });
    return row;
  }

  async #send(
    key: SessionKey,
    { openTurn }: SessionRow,
    name: 'cancel' | 'close' | 'inject' | 'compact' | 'rename',
    message: CancelRequest | InjectContext | RenameSession | { requestId: CancelRequest['requestId'] },
  ): Promise<RequestReceipt> {
    const { requestId } = message;
    // Stopping must work in a run that has no updates left, so it does not count against the budget of prompts.
    const prefer = name === 'inject' ? this.budget.next(key.session, openTurn) : 'update';
    const send = () => this.messenger.deliver({ ...key, name, message, intent: 'open', prefer });
    const outcome = await this.desk.refusing(key, requestId, send);
    if (outcome.kind === 'answered') await this.desk.accepted(key, requestId);
    this.announcer.announce(key);
    return { requestId, accepted: outcome.kind === 'answered' ? 'delivered' : 'queued' };
  }

  /** Starts a new life and gives it a moment to open its log, so that the caller may use the session at once. */
  async #reopen(key: SessionKey, before: SessionRow): Promise<SessionRow> {
    const deadline = Date.now() + REOPEN_MS;
    for (;;) {
      // The last life may still be ending and then counts as running; asking again starts the next one.
      await this.messenger.start({ ...key, intent: 'resume' });
      await pause(REOPEN_POLL_MS);
      const row = await this.access.find(key);
      if (isReopened(before, row) || Date.now() > deadline) return row;
    }
  }
}
