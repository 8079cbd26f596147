import type { CallId, HookContext, SessionId } from '@everturn/core/domain';
import type { AttachmentsPort, ModelRoute } from './attachments-port.ts';
import type { AskModel, BrowserPort } from './browser-port.ts';
import type { DependenciesPort } from './dependencies-port.ts';
import type { FilePolicy } from './file-observations.ts';
import type { FilesPort } from './files-port.ts';
import type { Inspect } from './inspect-port.ts';
import type { LanguageServersPort } from './lsp-port.ts';
import type { McpPort } from './mcp-port.ts';
import type { ModelsPort } from './models-port.ts';
import type { PluginsPort } from './plugins-port.ts';
import type { PowershellPort } from './powershell-port.ts';
import type { ProcessesPort } from './processes-port.ts';
import type { ProjectPort } from './project-port.ts';
import type { SessionResources } from './resources-port.ts';
import type { SandboxPolicy, SandboxPort } from './sandbox-port.ts';
import type { SearchPort } from './search-port.ts';
import type { SessionQueryPort } from './session-query-port.ts';
import type { SkillsPort } from './skills-port.ts';
import type { SpillPort } from './spill-port.ts';
import type { TerminalsPort } from './terminals-port.ts';
import type { ToolSettings } from './tool-settings.ts';
import type { WebPort } from './web-port.ts';

/** Who asked for the call. It names a place in the log; it proves neither that the session lives nor what it may do. */
export interface ToolInitiator {
  readonly session: SessionId;
  readonly turn: number;
  readonly step: number;
  /** Index of the call among its step's calls, from 0. */
  readonly call: number;
}

/** The machine, and the web, as tools see them. */
export interface ToolPorts {
  readonly files: FilesPort;
  readonly processes: ProcessesPort;
  readonly powershell: PowershellPort;
  readonly sandbox: SandboxPort;
  readonly lsp: LanguageServersPort;
  readonly search: SearchPort;
  readonly spill: SpillPort;
  readonly web: WebPort;
  /** Absent where nothing stores pictures. */
  readonly attachments?: AttachmentsPort;
  readonly dependencies: DependenciesPort;
  readonly mcp: McpPort;
  readonly browser: BrowserPort;
  readonly terminals: TerminalsPort;
  readonly project: ProjectPort;
  readonly skills: SkillsPort;
}

/** What the caller of a body provides for one call. */
export interface ToolCallContext {
  readonly initiator: ToolInitiator;
  readonly callId: CallId;
  /** The enclosing call of a program's sub-call; such calls are neither shown nor spilled. */
  readonly parent?: CallId;
  /** The same for every attempt of this call, different for every other; for systems that honour such keys. */
  readonly idempotencyKey: string;
  /** Raised by a cancel (or the end of the shutdown grace); the body must settle soon after. */
  readonly signal: AbortSignal;
  /** The session's directory, absolute. */
  readonly cwd: string;
  /** The `EVERTURN_…` variables of this call, see {@link managedEnvironment}. */
  readonly managedEnvironment: Readonly<Record<string, string>>;
  readonly settings: ToolSettings;
  /** What this call may do; its `ports` keep to it by themselves. */
  readonly sandbox: SandboxPolicy;
  readonly ports: ToolPorts;
  /** What this worker process keeps alive for the session between its calls. */
  readonly resources: SessionResources;
  /** The model that will read the result; absent, or `undefined`, where nobody can tell. */
  readonly route?: () => Promise<ModelRoute | undefined>;
  /** Asks the session's model beside the conversation; absent where no model can be asked. */
  readonly askModel?: AskModel;
  /** What decides about changes of files; absent: nothing does. */
  readonly filePolicy?: FilePolicy;
  /** What sessions of the caller's folder say; absent where the call is for no session. */
  readonly sessions?: SessionQueryPort;
  /** What can be asked about the running system; absent where the call is for no session. */
  readonly inspect?: Inspect;
  /** The models agents may be given; absent where the call is for no session. */
  readonly models?: ModelsPort;
  /** What extends the session's agent; absent where nobody manages it. */
  readonly plugins?: PluginsPort;
}

/** What a body gets besides its arguments. */
export interface ToolRunContext extends ToolCallContext {
  /** Adds a message for the model after the batch's results; dropped when policy blocks the result. */
  deferContext(context: HookContext): void;
}
