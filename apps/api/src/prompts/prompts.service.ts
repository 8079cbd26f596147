import { Inject, Injectable } from '@nestjs/common';
import type { MessageSource, RequestId } from '@everturn/core/domain';
import {
  editPrompt,
  inlineOrStore,
  readPrompt,
  type Database,
  type Prompt,
  type SentRequestKind,
} from '@everturn/core/postgres';
import type { EditQueued } from '@everturn/core/protocol';
import { SessionMessenger } from '../platform/delivery/session-messenger.ts';
import { UpdateBudget } from '../platform/delivery/update-budget.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { CommandDesk, commandIn, type RunCommandInput } from '../platform/requests/command-desk.ts';
import { CommandRunner } from '../platform/requests/command-runner.ts';
import { ModelRoutes } from '../platform/requests/model-routes.ts';
import { PictureDesk } from '../platform/requests/picture-desk.ts';
import { INLINE_CONTENT_BYTES, PromptDesk } from '../platform/requests/prompt-desk.ts';
import { RequestDesk } from '../platform/requests/request-desk.ts';
import { refuseEnded, SessionAccess } from '../platform/requests/session-access.ts';
import { previewOf, type MessageContent } from '../platform/schemas/content.ts';
import type { CommandReport } from '../platform/schemas/command-report.ts';
import type { PromptReceipt, RequestReceipt } from '../platform/schemas/receipt.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { SubmitPromptBody } from './prompt-requests.ts';
import { TurnWait } from './turn-wait.ts';

export interface SubmitInput {
  key: SessionKey;
  body: SubmitPromptBody;
  idempotencyKey: string | undefined;
  waitMs: number;
  signal: AbortSignal;
}

interface EditInput {
  key: SessionKey;
  promptId: RequestId;
  /** Absent: drop the prompt. */
  content?: MessageContent;
  idempotencyKey: string | undefined;
}

/** Takes prompts, and changes those that still wait. */
@Injectable()
export class PromptsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(PromptDesk) private readonly prompts: PromptDesk,
    @Inject(PictureDesk) private readonly pictures: PictureDesk,
    @Inject(ModelRoutes) private readonly routes: ModelRoutes,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(UpdateBudget) private readonly budget: UpdateBudget,
    @Inject(CommandDesk) private readonly commands: CommandDesk,
    @Inject(CommandRunner) private readonly runner: CommandRunner,
    @Inject(TurnWait) private readonly wait: TurnWait,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** Answers once the session has the prompt, or Temporal has it for the session. */
  async submit({ key, body, idempotencyKey, waitMs, signal }: SubmitInput): Promise<PromptReceipt | CommandReport> {
    const command = await this.#commandIn({ key, body, idempotencyKey });
    if (command) return this.#command({ key, ...command, idempotencyKey });
    const row = await this.access.findOwn(key);
    const { openTurn } = row;
    const admitted = await this.#admit(key, body.content);
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'prompt', body });
    // One that was taken before is answered like then, whatever became of its session.
    if (!(await this.prompts.isTaken(key, request))) refuseEnded(row);
    const { mode, expectedTurn, clientTimeZone } = body;
    const source: MessageSource = { kind: 'user', ...(clientTimeZone !== undefined && { clientTimeZone }) };
    const submitted = await this.prompts.submit({
      key,
      request,
      mode,
      content: await admitted.store(),
      source,
      intent: 'open',
      onOutage: idempotencyKey === undefined ? 'withdraw' : 'keep',
      ...(expectedTurn !== undefined && { expectedTurn }),
      ...(openTurn !== undefined && { openTurn }),
    });
    const receipt = { ...submitted, requestId: submitted.promptId };
    if (waitMs === 0) return receipt;
    // The prompt is taken whatever becomes of the waiting, so a failure of that must not look like a refusal.
    const waiting = this.wait.forEnd({ key, promptId: submitted.promptId, timeoutMs: waitMs, signal });
    const progress = await waiting.catch(() => ({}));
    return { ...receipt, ...progress };
  }

  /** What was taken as a message once is one when it is sent again, whatever is known by then. */
  async #commandIn({ key, body, idempotencyKey }: Pick<SubmitInput, 'key' | 'body' | 'idempotencyKey'>) {
    const command = commandIn(body.content);
    if (!command || (await this.desk.isRepeat({ ...key, idempotencyKey, purpose: 'prompt', body }))) return undefined;
    return (await this.commands.isMessage(key, command.name)) ? undefined : command;
  }

  /** A message that is a command is run, and its failure is the sender's, because they see no model's answer. */
  async #command(input: RunCommandInput): Promise<CommandReport> {
    const report = await this.runner.run(input);
    if (report.kind === 'error')
      throw new ApiError({
        code: 'COMMAND_ERROR',
        message: report.text ?? `/${input.name} failed`,
        details: { commandId: report.commandId },
      });
    return report;
  }

  /** Replaces or drops a prompt that no turn has taken; throws `PROMPT_NOT_QUEUED` for one that was. */
  async edit({ key, promptId, content, idempotencyKey }: EditInput): Promise<RequestReceipt> {
    const row = await this.access.findOwn(key);
    const admitted = content && (await this.#admit(key, content));
    const kind: SentRequestKind = content ? 'edit' : 'drop';
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: kind, body: { promptId, content } });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    const prompt = await readPrompt(this.database, { ...key, promptId });
    // The first sending may have been delivered by a process that died before it could say so.
    if (kind === 'drop' && request.history === 'repeated' && prompt?.state === 'discarded')
      return { requestId, accepted: 'delivered' };
    const { entry } = queued(key, promptId, prompt);
    const blocks = await admitted?.store();
    const stored = blocks && (await inlineOrStore(this.database, key.tenant, blocks, INLINE_CONTENT_BYTES));
    const preview = content && previewOf(content);
    const message: EditQueued = {
      requestId,
      promptId,
      ...(stored && { content: stored }),
      ...(preview && { preview }),
    };
    await this.desk.note(key, requestId, kind);
    const delivery = {
      ...key,
      name: 'editQueued',
      message,
      intent: 'open',
      prefer: this.budget.next(key.session, row.openTurn),
    } as const;
    const outcome = await this.desk.refusing(key, requestId, () => this.messenger.deliver(delivery));
    if (stored)
      await editPrompt(this.database, {
        ...key,
        promptId,
        entry: { ...entry, content: stored, preview: preview ?? '' },
      });
    if (outcome.kind === 'answered') await this.desk.accepted(key, requestId);
    this.announcer.announce(key);
    return { requestId, accepted: outcome.kind === 'answered' ? 'delivered' : 'queued' };
  }

  #admit(key: SessionKey, content: MessageContent) {
    const route = () => this.routes.route(key);
    return this.pictures.admit({ tenant: key.tenant, content, field: 'body.content', route });
  }
}

function queued({ session }: SessionKey, promptId: RequestId, prompt: Prompt | undefined): Prompt {
  if (!prompt)
    throw new ApiError({ code: 'PROMPT_NOT_FOUND', message: `session "${session}" has no prompt "${promptId}"` });
  if (prompt.state === 'accepted' || prompt.state === 'queued') return prompt;
  throw new ApiError({
    code: 'PROMPT_NOT_QUEUED',
    message: `prompt "${promptId}" no longer waits: it is ${prompt.state}`,
  });
}
