import type { Database, SecretBox } from '@everturn/core/postgres';
import type { LlmRegistry } from '@everturn/core/providers';
import type {
  CompactionConfig,
  HostId,
  PlanEnforcement,
  RetryConfig,
  SandboxMode,
  TitleCadence,
} from '@everturn/core/domain';
import type { ManagedEnvironment, ToolPorts, ToolSettings } from '@everturn/tools/kit';
import type { LocalWorld, ProgramPool } from '@everturn/tools/world';
import type { StepIsolation, ToolsMode } from '@everturn/core/protocol';
import type { Logger } from 'pino';
import type { AgentHandles, Bundles, LiveBus, Registry, SubagentProviders } from '../plugins/index.ts';
import type { ChunkPart, Projection } from '../projection/index.ts';
import type { DerivedSessions } from './context/derived-sessions.ts';
import type { SessionFactsReader } from './context/session-facts.ts';
import type { Values } from './context/values.ts';
import type { ShownPictures } from './images/shown-pictures.ts';
import type { EffectRunner } from './effects/effect-runner.ts';
import type { ChunkDrain } from './streaming/drain.ts';
import type { Lanes } from './tools/lanes.ts';

/** The machine whose tools this process runs; its epoch rises with every process that takes the machine over. */
export interface OwnHost {
  id: HostId;
  epoch: number;
}

/** What activities work with; made once per process by the composition root. */
export interface ActivityDeps {
  database: Database;
  projection: Projection;
  facts: SessionFactsReader;
  effects: EffectRunner;
  drain: ChunkDrain<ChunkPart['target']>;
  values: Values;
  derived: DerivedSessions;
  pictures: ShownPictures;
  llm: LlmRegistry;
  /** Which model answers when a session names none; throws `LlmError` when the provider cannot be asked. */
  defaultModel: () => Promise<{ provider: string; model: string } | undefined>;
  registry: Registry;
  /** Who makes agents that work for others, by name. */
  subagentProviders: SubagentProviders;
  /** The optional sets of tools of sessions that name none. */
  toolsets: readonly string[];
  /** How models call tools in sessions that do not say. */
  toolsMode: ToolsMode;
  /** Threads for programs that models write. */
  programs: ProgramPool;
  live: LiveBus;
  /** Sessions for plugins. */
  agents: AgentHandles;
  /** Absent in a process that installs none. */
  bundles?: Bundles;
  /** Whether the namespace knows our search attributes; without them workflows write none. */
  searchAttributes: () => boolean;
  stepIsolation: StepIsolation;
  log: Logger;
  settings: ToolSettings;
  /** What tools may do in sessions that do not say. */
  permissionMode: SandboxMode;
  /** What a model in plan mode is told, and what becomes of its calls in sessions that do not say. */
  plan: { prompt: string; enforcement: PlanEnforcement };
  /** The order in which models are shown tools; absent: by name. */
  toolOrder?: readonly string[];
  maxParallelToolCalls: number;
  /** How long a listener may take that names no time of its own, in ms. */
  listenerTimeoutMs: number;
  /** How subscribers are reached: where they may be is the deployment's word. */
  webhookFetch: typeof fetch;
  /** Opens secrets that are stored. */
  secrets: SecretBox;
  /** How failed model calls are tried again. */
  retry: RetryConfig;
  /** How much of a project's instructions for agents a request begins with at most. */
  instructionsBytes: number;
  /** Every request is made once more from the log before it is sent, and refused if it differs. Reads the whole log. */
  checkRequests: boolean;
  /** When a model is asked for a session's title, and which, if not the session's own. */
  titles: { cadence: TitleCadence; route?: { provider: string; model: string } };
  /** When and how histories are shortened. */
  compaction: CompactionConfig;
  /** Directory of the deployment's own state, absolute. */
  home: string;
  managedEnvironment: ManagedEnvironment;
  /** This machine as tools see it. */
  ports: ToolPorts;
  /** What sessions keep alive in this process. */
  resources: LocalWorld['resources'];
  /** Absent in a process that runs no tools of a machine. */
  machine?: { host: OwnHost; lanes: Lanes; endSession: LocalWorld['endSession'] };
}
