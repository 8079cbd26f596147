import { readAgentsFile, type AgentsConfig } from './agents-file.ts';
import { withoutBlanks } from './fields.ts';
import { readHooksFile, type HooksConfig } from './hooks-file.ts';
import type { McpServerConfig } from './mcp-config.ts';
import { readMcpFile } from './mcp-file.ts';
import { readTextFile } from './json-file.ts';
import { databaseConfig, processConfig, temporalConfig } from './process-config.ts';
import type { DatabaseConfig, ProcessConfig, TemporalConfig } from './process-config.ts';
import { providersConfig } from './providers-config.ts';
import type { ProvidersConfig } from './providers-config.ts';
import { deepFreeze, readEnv } from './read-env.ts';
import { retrySettings, type RetrySettings } from './retry-settings.ts';
import * as fields from './schema.ts';
import { sandboxConfig, type SandboxConfig } from './sandbox-config.ts';
import { readLanguageServersFile, type LanguageServerConfig } from './language-servers-file.ts';
import type { Secret } from './secret.ts';
import { webConfig, webFields, type WebConfig } from './web-config.ts';

/** What a worker is told. */
export interface WorkerConfig extends ProcessConfig {
  database: DatabaseConfig;
  temporal: TemporalConfig;
  providers: ProvidersConfig;
  web: WebConfig;
  /** Offered to sessions with the tool set `lsp`. */
  languageServers: LanguageServerConfig[];
  /** How failed model calls are tried again, where it differs from the default. */
  retry: RetrySettings;
  /** `child`: each step is a workflow of its own; `inline`: it runs inside its turn. */
  stepIsolation: 'child' | 'inline';
  maxCachedWorkflows?: number;
  /** A prebuilt workflow bundle; absent = the worker bundles at start. */
  workflowBundle?: string;
  /** How commands are confined. */
  sandbox: SandboxConfig;
  /** Absolute paths of plugin modules, in order of loading. */
  plugins: string[];
  /** External hooks, where a file names any. */
  hooks?: HooksConfig;
  /** Whether commands may run in the background, and whether the end of one may begin a turn of an idle session. */
  jobs: { background: 'on' | 'off'; delivery: 'wakeup' | 'quiet' };
  /** Tools that delegate, and limits of teams, scripts and loops, where a file names any. */
  agents?: AgentsConfig;
  /** Agents of one workflow script that work at a time; absent: by the processors of the worker. */
  workflowAgents?: number;
  /** Where results are kept that are too long to show: on the machine that ran the call, or where all can read them. */
  spill: 'local' | 'postgres';
  /** How long a listener of a plugin may take, in ms. */
  listenerTimeoutMs: number;
  /** What a model in plan mode is told, and whether its other tools are refused in sessions that do not say. */
  plan: { prompt: string; enforcement: 'prompt' | 'deny' };
  /** Hide secrets that are stored: the first hides, each reveals; none = none is stored. */
  secretsKeys: Secret[];
  /** How subscribers to notifications are reached; `retry` in ms. */
  webhooks: { allowAddresses: string[]; retry: { firstMs: number; mostMs: number; forMs: number } };
  /** Who the agent is, unless its session says so itself. */
  persona?: string;
  /** The order in which models are shown tools; absent: by name. */
  toolOrder?: string[];
  /** Absolute folders of skills that every session has. */
  skills: string[];
  /** Each request is made once more from the log and compared before it is sent. */
  checkRequests: boolean;
  /** How models call tools in sessions that do not say. */
  toolsMode: 'native' | 'ptc' | 'both';
  /** Optional sets of tools for sessions that name none. */
  toolsets: string[];
  /** The browser's program; absent = the first the search path has. */
  chromium?: string;
  /** Where a browser that runs already is debugged, in place of browsers of our own. */
  browserAddress?: string;
  /** PowerShell's program; absent = looked for where it is usually installed. */
  pwsh?: string;
  /** What it ships for work on documents; `root`: where that is copied to first. Both absolute. */
  dependencies?: { source: string; root?: string };
  /** Servers whose tools and resources sessions get. */
  mcpServers: McpServerConfig[];
  /** `host:port` where Prometheus metrics are served; absent = nowhere. */
  metricsAddress?: string;
}

/** What the API is told. */
export interface ApiConfig extends ProcessConfig {
  database: DatabaseConfig;
  temporal: TemporalConfig;
  /** As the worker's. */
  secretsKeys: Secret[];
  host: string;
  port: number;
  /** A port that was asked for by name must not be exchanged for another behind the asker's back. */
  whenPortTaken: 'fail' | 'take-another';
}

/** What the command line is told; `database` and `temporal` only where commands speak to them directly. */
export interface CliConfig extends ProcessConfig {
  apiUrl: string;
  apiKey?: Secret;
  database?: DatabaseConfig;
  temporal?: TemporalConfig;
}

/** What the scripted model server is told; port 0 = any free one. */
export interface ScriptedConfig {
  port: number;
}

/** The worker's configuration; throws ConfigError naming each wrong variable. */
export const workerConfig = once((source): WorkerConfig => {
  const env = readEnv(
    {
      ...fields.databaseFields,
      ...fields.temporalFields,
      ...fields.processFields,
      ...fields.secretFields,
      ...fields.workerFields,
      ...fields.providerFields,
      ...webFields,
    },
    source,
  );
  return {
    ...processConfig(env),
    database: databaseConfig(env),
    temporal: temporalConfig(env),
    providers: providersConfig(env, {
      environment: source,
      stored: env.EVERTURN_SECRETS_KEY ? 'by-tenant' : 'none',
    }),
    web: webConfig(env),
    languageServers: env.EVERTURN_LANGUAGE_SERVERS_FILE
      ? readLanguageServersFile(env.EVERTURN_LANGUAGE_SERVERS_FILE)
      : [],
    retry: retrySettings(env),
    stepIsolation: env.EVERTURN_STEP_ISOLATION,
    ...(env.EVERTURN_MAX_CACHED_WORKFLOWS !== undefined && { maxCachedWorkflows: env.EVERTURN_MAX_CACHED_WORKFLOWS }),
    ...(env.EVERTURN_WORKFLOW_BUNDLE && { workflowBundle: env.EVERTURN_WORKFLOW_BUNDLE }),
    sandbox: sandboxConfig(env),
    plugins: env.EVERTURN_PLUGINS ?? [],
    ...(env.EVERTURN_HOOKS_FILE && { hooks: readHooksFile(env.EVERTURN_HOOKS_FILE, source) }),
    jobs: { background: env.EVERTURN_RUN_IN_BACKGROUND, delivery: env.EVERTURN_JOB_DELIVERY },
    ...(env.EVERTURN_AGENTS_FILE && { agents: readAgentsFile(env.EVERTURN_AGENTS_FILE) }),
    ...(env.EVERTURN_WORKFLOW_AGENTS !== undefined && { workflowAgents: env.EVERTURN_WORKFLOW_AGENTS }),
    spill: env.EVERTURN_SPILL,
    listenerTimeoutMs: env.EVERTURN_LISTENER_TIMEOUT_MS,
    plan: { prompt: env.EVERTURN_PLAN_PROMPT, enforcement: env.EVERTURN_PLAN_ENFORCEMENT },
    secretsKeys: env.EVERTURN_SECRETS_KEY ?? [],
    webhooks: {
      allowAddresses: env.EVERTURN_WEBHOOK_ALLOW_ADDRESSES ?? [],
      retry: {
        firstMs: env.EVERTURN_WEBHOOK_RETRY_FIRST_MS,
        mostMs: 3_600_000,
        forMs: env.EVERTURN_WEBHOOK_RETRY_FOR_MS,
      },
    },
    ...(env.EVERTURN_PERSONA_FILE && { persona: readTextFile(env.EVERTURN_PERSONA_FILE, 'EVERTURN_PERSONA_FILE') }),
    ...(env.EVERTURN_TOOL_ORDER && { toolOrder: env.EVERTURN_TOOL_ORDER }),
    skills: env.EVERTURN_SKILLS ?? [],
    checkRequests: env.EVERTURN_CHECK_REQUESTS === 'on',
    toolsMode: env.EVERTURN_TOOLS_MODE,
    toolsets: env.EVERTURN_TOOLSETS ?? [],
    ...(env.EVERTURN_CHROMIUM_PATH && { chromium: env.EVERTURN_CHROMIUM_PATH }),
    ...(env.EVERTURN_BROWSER_ADDRESS && { browserAddress: env.EVERTURN_BROWSER_ADDRESS }),
    ...(env.EVERTURN_PWSH_PATH && { pwsh: env.EVERTURN_PWSH_PATH }),
    ...(env.EVERTURN_WORKSPACE_DEPENDENCIES && {
      dependencies: {
        source: env.EVERTURN_WORKSPACE_DEPENDENCIES,
        ...(env.EVERTURN_WORKSPACE_DEPENDENCIES_ROOT && { root: env.EVERTURN_WORKSPACE_DEPENDENCIES_ROOT }),
      },
    }),
    mcpServers: env.EVERTURN_MCP_FILE ? readMcpFile(env.EVERTURN_MCP_FILE, source) : [],
    ...(env.EVERTURN_WORKER_METRICS && { metricsAddress: env.EVERTURN_WORKER_METRICS }),
  };
});

/** The API's configuration; throws ConfigError naming each wrong variable. */
export const apiConfig = once((source): ApiConfig => {
  const env = readEnv(
    {
      ...fields.databaseFields,
      ...fields.temporalFields,
      ...fields.processFields,
      ...fields.secretFields,
      ...fields.apiFields,
    },
    source,
  );
  return {
    ...processConfig(env),
    database: databaseConfig(env),
    temporal: temporalConfig(env),
    secretsKeys: env.EVERTURN_SECRETS_KEY ?? [],
    host: env.EVERTURN_API_HOST,
    port: env.EVERTURN_API_PORT,
    whenPortTaken: source.EVERTURN_API_PORT?.trim() ? 'fail' : 'take-another',
  };
});

/** The command line's configuration; throws ConfigError naming each wrong variable. */
export const cliConfig = once(readCli);

/** Like {@link cliConfig}, with values for variables that the environment does not set. */
export function cliConfigWith(defaults: Record<string, string>): CliConfig {
  return deepFreeze(readCli({ ...defaults, ...withoutBlanks(process.env) }));
}

function readCli(source: NodeJS.ProcessEnv): CliConfig {
  const env = readEnv({ ...fields.processFields, ...fields.cliFields }, source);
  const database = source.DATABASE_URL?.trim() && databaseConfig(readEnv(fields.databaseFields, source));
  const temporal = source.TEMPORAL_ADDRESS?.trim() && temporalConfig(readEnv(fields.temporalFields, source));
  return {
    ...processConfig(env),
    apiUrl: env.EVERTURN_API_URL,
    ...(env.EVERTURN_API_KEY && { apiKey: env.EVERTURN_API_KEY }),
    ...(database && { database }),
    ...(temporal && { temporal }),
  };
}

/** The web's part of a worker's configuration, for whoever explains it; throws ConfigError naming each wrong variable. */
export const webSettings = once((source): WebConfig => webConfig(readEnv(webFields, source)));

/** The scripted model server's configuration; throws ConfigError naming each wrong variable. */
export const scriptedConfig = once((source): ScriptedConfig => {
  const env = readEnv(fields.scriptedFields, source);
  return { port: env.EVERTURN_SCRIPTED_PORT };
});

/** Reads `process.env` at the first call only; a source given by a test is read each time. */
function once<T>(read: (source: NodeJS.ProcessEnv) => T): (source?: NodeJS.ProcessEnv) => T {
  let known: T | undefined;
  return (source) => (source ? deepFreeze(read(source)) : (known ??= deepFreeze(read(process.env))));
}
