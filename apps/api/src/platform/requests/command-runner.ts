import { Inject, Injectable } from '@nestjs/common';
import { CommandDesk, type RunCommandInput } from './command-desk.ts';
import { PromptDesk } from './prompt-desk.ts';
import type { CommandReport } from '../schemas/command-report.ts';
import { RequestDesk } from './request-desk.ts';
import { SessionAccess } from './session-access.ts';

/** Runs commands, and sends the message that came with one. */
@Injectable()
export class CommandRunner {
  constructor(
    @Inject(CommandDesk) private readonly commands: CommandDesk,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(PromptDesk) private readonly prompts: PromptDesk,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  /** The command goes first, so that its message runs under what it set; sent again, both are known. */
  async run(input: RunCommandInput): Promise<CommandReport> {
    const { commandId, accepted, result } = await this.commands.run(input);
    const message = result?.kind === 'error' ? undefined : messageOf(input);
    const promptId = message === undefined ? undefined : await this.#send(input, message);
    return { commandId, accepted, ...result, ...(promptId !== undefined && { promptId }) };
  }

  async #send({ key, idempotencyKey }: RunCommandInput, message: string): Promise<string> {
    // No caller's key can hold a space.
    const own = idempotencyKey === undefined ? undefined : `${idempotencyKey} message`;
    const request = await this.desk.open({ ...key, idempotencyKey: own, purpose: 'prompt', body: { message } });
    // The session may have ended since it took the command.
    if (!(await this.prompts.isTaken(key, request))) await this.access.findOpen(key);
    const { promptId } = await this.prompts.submit({
      key,
      request,
      mode: 'send',
      content: [{ type: 'text', text: message }],
      source: { kind: 'user' },
      intent: 'open',
      onOutage: own === undefined ? 'withdraw' : 'keep',
    });
    return promptId;
  }
}

/** `/plan <message>`: what is to be planned. */
function messageOf({ name, input }: RunCommandInput): string | undefined {
  const message = input.trim();
  return name === 'plan' && message !== '' && message.toLowerCase() !== 'off' ? message : undefined;
}
