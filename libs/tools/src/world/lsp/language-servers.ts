import {
  ToolError,
  type LanguageServersPort,
  type LspAnswer,
  type LspQuery,
  type SandboxPort,
} from '../../kit/index.ts';
import { findExecutable } from '../processes/find-executable.ts';
import type { GroupRegistry } from '../processes/group-registry.ts';
import { assertDefinitions, serverFor, type ServerDefinition } from './server-definition.ts';
import { ServerSlot, type ServerLimits } from './server-slot.ts';

/** What bounds the language servers of a worker. */
export interface LanguageServerLimits extends ServerLimits {
  /** Processes at the same time. */
  servers: number;
}

const LIMITS: LanguageServerLimits = { startMs: 30_000, restMs: 60_000, idleMs: 600_000, graceMs: 2_000, servers: 8 };

export interface LanguageServersInput {
  definitions?: readonly ServerDefinition[] | undefined;
  registry: GroupRegistry;
  sandbox: SandboxPort;
  inherited: Readonly<Record<string, string>>;
  limits?: Partial<LanguageServerLimits> | undefined;
}

/** A session's share in a server. */
interface Share {
  slot: ServerSlot;
  dispose(): Promise<void>;
}

/** The language servers of this worker: one process for each definition and workspace, shared by sessions that may do the same there. */
export class LanguageServers implements LanguageServersPort {
  readonly #input: LanguageServersInput;
  readonly #definitions: readonly ServerDefinition[];
  readonly #limits: LanguageServerLimits;
  readonly #slots = new Map<string, { slot: ServerSlot; shares: number }>();
  #installed: Promise<void> | undefined;

  /** Throws `LSP_INVALID_PROVIDER` and `LSP_CONFLICT`. */
  constructor(input: LanguageServersInput) {
    this.#input = input;
    this.#definitions = input.definitions ?? [];
    this.#limits = { ...LIMITS, ...input.limits };
    assertDefinitions(this.#definitions);
  }

  async query(query: LspQuery): Promise<LspAnswer> {
    const found = serverFor(this.#definitions, query.path);
    if (!found) throw new ToolError('LSP_UNAVAILABLE', `no LSP provider handles "${query.displayPath}"`);
    await this.#assertInstalled();
    const { definition } = found;
    const { mode, network } = query.sandbox;
    const key = `lsp/${definition.id}/${mode}/${network}${query.workspace}`;
    const { slot } = await query.resources.open(key, async () => this.#share(key, definition, query));
    return slot.ask(query);
  }

  /** All programs or none: half an installation would look like a language that nobody uses here. */
  #assertInstalled(): Promise<void> {
    this.#installed ??= this.#findAll().catch((error: unknown) => {
      this.#installed = undefined; // it may be installed while we run
      throw error;
    });
    return this.#installed;
  }

  async #findAll(): Promise<void> {
    for (const { id, command, environment } of this.#definitions) {
      const path = environment?.['PATH'] ?? this.#input.inherited['PATH'];
      await findExecutable(command[0] ?? '', path).catch((cause: Error) => {
        throw new ToolError(
          'LSP_UNAVAILABLE',
          `language server "${id}": ${cause.message}; install it or correct EVERTURN_LANGUAGE_SERVERS_FILE`,
        );
      });
    }
  }

  #share(key: string, definition: ServerDefinition, query: LspQuery): Share {
    const known = this.#slots.get(key) ?? { slot: this.#slot(definition, query), shares: 0 };
    this.#slots.set(key, known);
    known.shares += 1;
    const dispose = async () => {
      known.shares -= 1;
      if (known.shares > 0) return;
      if (this.#slots.get(key) === known) this.#slots.delete(key);
      await known.slot.stop();
    };
    return { slot: known.slot, dispose };
  }

  #slot(definition: ServerDefinition, { workspace, sandbox: { mode, network } }: LspQuery): ServerSlot {
    const { registry, sandbox, inherited } = this.#input;
    return new ServerSlot({
      start: { definition, workspace, registry, sandbox, confine: { mode, network }, inherited },
      languageIdOf: (path) => serverFor([definition], path)?.languageId ?? 'plaintext',
      limits: this.#limits,
      makeRoom: () => this.#makeRoom(),
    });
  }

  /** Stops who was not asked for longest, so that many workspaces do not fill the machine's memory. */
  async #makeRoom(): Promise<void> {
    const running = [...this.#slots.values()].map(({ slot }) => slot).filter((slot) => slot.running);
    if (running.length < this.#limits.servers) return;
    const [longest] = running.filter(({ busy }) => !busy).toSorted((a, b) => a.lastUsed - b.lastUsed);
    if (!longest)
      throw new ToolError('LSP_UNAVAILABLE', `all ${this.#limits.servers} language servers of this machine are busy`);
    await longest.sleep();
  }
}
