import { Inject, Injectable } from '@nestjs/common';
import {
  COMMANDS,
  parseCommand,
  PresetName,
  type CommandDescription,
  type CommandResult,
  type RequestId,
} from '@everturn/core/domain';
import {
  commandsFor,
  hostDetails,
  listLiveHosts,
  readCommandResult,
  readSessionCommands,
  readSessionSkills,
  type Database,
} from '@everturn/core/postgres';
import type { CommandReceipt, RunCommand } from '@everturn/core/protocol';
import { SessionMessenger } from '../delivery/session-messenger.ts';
import { ApiError } from '../errors/api-error.ts';
import { Announcer } from '../follow/announcer.ts';
import type { SessionKey } from '../follow/log-source.ts';
import type { MessageContent } from '../schemas/content.ts';
import { DATABASE } from '../tokens.ts';
import { CommandWait } from './command-wait.ts';
import { chosenModel } from './chosen-model.ts';
import { ModelRoutes } from './model-routes.ts';
import { RequestDesk } from './request-desk.ts';
import { SandboxSwitch } from './sandbox-switch.ts';
import { refuseEnded, SessionAccess } from './session-access.ts';

/** A command may take this long before its sender is told to look later, in ms. */
const WAIT_MS = 10_000;

export interface RunCommandInput {
  key: SessionKey;
  name: string;
  /** What follows the name, verbatim. */
  input: string;
  idempotencyKey: string | undefined;
}

/** A command that was run, or is still to be. */
export interface CommandAnswer {
  commandId: RequestId;
  accepted: 'delivered' | 'queued';
  /** Absent: `command/done` of the log will say. */
  result?: CommandResult;
}

/** Runs people's commands in sessions; nothing of them is ever a message to a model. */
@Injectable()
export class CommandDesk {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(ModelRoutes) private readonly routes: ModelRoutes,
    @Inject(SandboxSwitch) private readonly sandbox: SandboxSwitch,
    @Inject(CommandWait) private readonly wait: CommandWait,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** Commands that every session has, those that plugins of live workers add for all or its tenant, and its own. */
  async list(key: SessionKey): Promise<CommandDescription[]> {
    const [hosts, scoped] = await Promise.all([listLiveHosts(this.database), readSessionCommands(this.database, key)]);
    const told = [...hosts.flatMap((host) => commandsFor(hostDetails(host), key.tenant)), ...scoped];
    const own = new Set(COMMANDS.map(({ name }) => name));
    const added = new Map(told.filter(({ name }) => !own.has(name)).map((command) => [command.name, command]));
    return [...COMMANDS, ...added.values()]
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, description, input }) => ({ name, description, ...(input !== undefined && { input }) }));
  }

  /** Of a session that is still to be: as far as its tenant's are known. */
  async isCommand(key: SessionKey, name: string): Promise<boolean> {
    return (await this.list(key)).some((command) => command.name === name);
  }

  /**
   * Whether a text that begins with this name is a message: no command has it, but a skill that a person may call for.
   * Nobody has looked for a session's skills before its first turn, which will know.
   */
  async isMessage(key: SessionKey, name: string): Promise<boolean> {
    if (await this.isCommand(key, name)) return false;
    const found = await readSessionSkills(this.database, key);
    return !found || found.skills.some((skill) => skill.byPerson && skill.name === name);
  }

  /** Throws `UNKNOWN_COMMAND`, with nothing done; what goes wrong in a command is its result. */
  async run({ key, name, input, idempotencyKey }: RunCommandInput): Promise<CommandAnswer> {
    const row = await this.access.findOwn(key);
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'command', body: { name, input } });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return this.#answer(key, requestId, 'delivered');
    refuseEnded(row);
    await this.#refuseUnknown(key, name);
    await this.desk.note(key, requestId, 'command');
    const message: RunCommand = {
      requestId,
      name,
      input,
      source: { kind: 'user' },
      ...(await this.#prepared(key, name, input)),
    };
    const delivery = { ...key, name: 'runCommand', message, intent: 'open', prefer: 'update' } as const;
    const send = () => this.messenger.deliver<CommandReceipt>(delivery);
    const outcome = await this.desk.refusing(key, requestId, send);
    this.announcer.announce(key);
    if (outcome.kind === 'queued') return { commandId: requestId, accepted: 'queued' };
    await this.desk.accepted(key, requestId);
    const { result } = outcome.result;
    return result ? { commandId: requestId, accepted: 'delivered', result } : this.#answer(key, requestId, 'delivered');
  }

  /** `/permission <preset>` is refused as the route is. */
  async #permitted(key: SessionKey, input: string): Promise<Pick<RunCommand, 'given'>> {
    const preset = PresetName.safeParse(input.trim());
    if (!preset.success) return {};
    try {
      await this.sandbox.refuseWhileShellsRun(key, { preset: preset.data });
      return {};
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'TERMINALS_OPEN') throw error;
      return { given: { kind: 'error', text: error.message } };
    }
  }

  async #answer(key: SessionKey, commandId: RequestId, accepted: CommandAnswer['accepted']): Promise<CommandAnswer> {
    const find = () => readCommandResult(this.database, { ...key, commandId });
    const result = await this.wait.until(key, WAIT_MS, find);
    return { commandId, accepted, ...(result && { result }) };
  }

  async #refuseUnknown(key: SessionKey, name: string): Promise<void> {
    const known = (await this.list(key)).map((command) => command.name);
    if (known.includes(name)) return;
    const names = known.map((command) => `/${command}`).join(', ');
    throw new ApiError({
      code: 'UNKNOWN_COMMAND',
      message: `no command is named "/${name}"; there are: ${names}. A message that begins with a space is no command.`,
    });
  }

  /** What only this side knows: where things are downloaded, and which models there are. */
  async #prepared(key: SessionKey, name: string, input: string): Promise<Pick<RunCommand, 'given' | 'model'>> {
    if (name === 'export') return { given: { kind: 'success', text: `GET /v1/sessions/${key.session}/export` } };
    if (name === 'permission') return this.#permitted(key, input);
    if (name !== 'model') return {};
    const [offered, usual] = await Promise.all([this.routes.offered(key.tenant), this.routes.usual()]);
    const found = chosenModel(input.trim(), { offered, usual: usual?.provider });
    if (found.kind === 'chosen') return { model: found.choice };
    if (found.kind === 'refused') return { given: { kind: 'error', text: found.text } };
    const now = await this.routes.of(key);
    const available = offered.flatMap(({ provider, models }) => models.map((model) => `${provider}/${model}`));
    const list = available.length > 0 ? ` (listed: ${available.join(', ')})` : '';
    return { given: { kind: 'success', text: `current model ${now ?? 'that of the deployment'}${list}` } };
  }
}

/** The command a message of one text is, if it is one: its first character is the slash. */
export function commandIn(content: MessageContent): { name: string; input: string } | undefined {
  const [block] = content;
  return content.length === 1 && block?.type === 'text' ? parseCommand(block.text) : undefined;
}
