import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { titleFields } from './title-settings.ts';
import { addressRanges, folders, hostAndPort, httpUrl, milliseconds, names, secret, wholeNumber } from './fields.ts';
import { runnerFields } from './runner-fields.ts';
import { Secret } from './secret.ts';

const identifier = (remedy: string) => z.string().regex(/^[A-Za-z0-9._-]{1,128}$/, remedy);
const limit = (what: string) => wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER, what });
const PLAN_PROMPT = [
  'Plan mode is on. Explore, read and ask, and work out a plan; change nothing: no files, no commands with effects, nothing on other systems.',
  'When the plan is complete, present it with exit_plan_mode and wait for the review. Only its approval ends plan mode; a request to begin does not.',
].join('\n');
const POSTGRES = 'set it to a connection string such as postgres://user:password@127.0.0.1:15432/everturn';
const DIRECT = 'set it to the address of the server itself where DATABASE_URL leads through a pooler, or unset it';
const TEMPORAL = 'set it to the host:port of a Temporal frontend, such as 127.0.0.1:17233';

/** Where the log is kept. */
export const databaseFields = {
  DATABASE_URL: z
    .string({ error: POSTGRES })
    .regex(/^postgres(ql)?:\/\//, POSTGRES)
    .pipe(secret(POSTGRES)),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, DIRECT)
    .pipe(secret(DIRECT))
    .optional(),
};

const pemFile = (remedy: string) => z.string().startsWith('/', remedy).optional();

/** How a cluster is known, and how it knows us; named as Temporal's own programs name them. */
export const temporalTlsFields = {
  TEMPORAL_TLS_CLIENT_CERT_PATH: pemFile('set it to the absolute path of our certificate, a PEM file'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: pemFile("set it to the absolute path of our certificate's key, a PEM file"),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: pemFile("set it to the absolute path of the cluster's CA certificate, a PEM file"),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
};

/** Where workflows run. */
export const temporalFields = {
  ...temporalTlsFields,
  TEMPORAL_ADDRESS: hostAndPort(TEMPORAL),
  TEMPORAL_NAMESPACE: z.string().default('everturn'),
  TEMPORAL_API_KEY: secret('set it to an API key of the Temporal namespace').optional(),
  TEMPORAL_TLS: z.enum(['on', 'off'], { error: 'set it to on or off' }).optional(),
  EVERTURN_TASK_QUEUE: identifier('set it to the prefix of all task queues, such as everturn').default('everturn'),
  EVERTURN_DEPLOYMENT: identifier('set it to <name> of the worker deployment, or unset it').optional(),
  EVERTURN_UI_URL: httpUrl('set it to the URL of the Temporal UI, such as http://127.0.0.1:18233').optional(),
};

const KEYS = 'set it to 32 random bytes in base64 (`openssl rand -base64 32`); older keys may follow, after a comma';

/** What hides secrets that are stored. */
export const secretFields = {
  EVERTURN_SECRETS_KEY: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(z.string().refine((key) => Buffer.from(key, 'base64').length === 32, KEYS)).min(1, KEYS))
    .transform((keys) => keys.map((key) => new Secret(key)))
    .optional(),
};

/** What every process of the product knows. */
export const processFields = {
  EVERTURN_DATA_DIR: z.string().default('.everturn'),
  EVERTURN_HOST_ID: identifier('set it to a stable name of this machine (letters, digits, . _ -)').optional(),
  EVERTURN_WORKSPACE_ROOTS: folders('set it to absolute folders separated by : or ,').optional(),
  EVERTURN_PERMISSION_MODE: z
    .enum(['read-only', 'workspace-write', 'danger-full-access'], {
      error: 'set it to read-only, workspace-write or danger-full-access',
    })
    .default('workspace-write'),
  EVERTURN_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'set it to trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
  EVERTURN_SHUTDOWN_GRACE_MS: milliseconds('how long running work may finish at shutdown').default(30_000),
  EVERTURN_INSTRUCTIONS_BYTES: wholeNumber({
    min: 0,
    max: 1_048_576,
    what: "the bytes of a project's instructions that requests begin with at most",
  }).default(65_536),
  ...titleFields,
};

/** How a worker runs. */
export const workerFields = {
  EVERTURN_STEP_ISOLATION: z.enum(['child', 'inline'], { error: 'set it to child or inline' }).default('child'),
  EVERTURN_MAX_CACHED_WORKFLOWS: wholeNumber({
    min: 0,
    max: 100_000,
    what: 'how many workflows stay cached',
  }).optional(),
  EVERTURN_WORKFLOW_BUNDLE: z.string().optional(),
  EVERTURN_BUBBLEWRAP: z.string().startsWith('/', 'set it to the absolute path of bwrap, or unset it').optional(),
  ...runnerFields,
  EVERTURN_SANDBOX_NETWORK: z.enum(['none', 'full'], { error: 'set it to none or full' }).default('full'),
  EVERTURN_SANDBOX_CPU_SECONDS: limit('the CPU seconds of a process of a command').optional(),
  EVERTURN_SANDBOX_MEMORY_BYTES: limit('the bytes of data a process of a command may hold').optional(),
  EVERTURN_SANDBOX_PROCESSES: limit('the processes and threads of a command').optional(),
  EVERTURN_SANDBOX_FILE_BYTES: limit('the bytes of a file a command may write').optional(),
  EVERTURN_LANGUAGE_SERVERS_FILE: z.string().optional(),
  EVERTURN_PLUGINS: folders('set it to absolute paths of plugin modules separated by : or ,').optional(),
  EVERTURN_HOOKS_FILE: z.string().optional(),
  EVERTURN_RUN_IN_BACKGROUND: z.enum(['on', 'off'], { error: 'set it to on or off' }).default('on'),
  EVERTURN_JOB_DELIVERY: z.enum(['wakeup', 'quiet'], { error: 'set it to wakeup or quiet' }).default('wakeup'),
  EVERTURN_AGENTS_FILE: z.string().optional(),
  EVERTURN_WORKFLOW_AGENTS: wholeNumber({
    min: 1,
    max: 1_000,
    what: 'how many agents of one workflow script work at a time',
  }).optional(),
  EVERTURN_SPILL: z.enum(['local', 'postgres'], { error: 'set it to local or postgres' }).default('local'),
  EVERTURN_LISTENER_TIMEOUT_MS: milliseconds('how long a listener of a plugin may take').default(600_000),
  EVERTURN_PLAN_ENFORCEMENT: z.enum(['prompt', 'deny'], { error: 'set it to prompt or deny' }).default('prompt'),
  EVERTURN_PLAN_PROMPT: z.string().max(20_000, 'set it to at most 20,000 characters, or unset it').default(PLAN_PROMPT),
  EVERTURN_WEBHOOK_ALLOW_ADDRESSES: addressRanges.optional(),
  EVERTURN_WEBHOOK_RETRY_FIRST_MS: milliseconds('the wait before a notification is tried again').default(5_000),
  EVERTURN_WEBHOOK_RETRY_FOR_MS: milliseconds('how long a notification is tried').default(86_400_000),
  EVERTURN_TOOLS_MODE: z.enum(['native', 'ptc', 'both'], { error: 'set it to native, ptc or both' }).default('native'),
  EVERTURN_TOOL_ORDER: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .optional(),
  EVERTURN_PERSONA_FILE: z.string().optional(),
  EVERTURN_TOOLSETS: names('set it to optional sets of tools separated by commas, such as terminal').optional(),
  EVERTURN_SKILLS: folders('set it to absolute folders of skills separated by : or ,').optional(),
  EVERTURN_CHECK_REQUESTS: z.enum(['on', 'off'], { error: 'set it to on or off' }).default('off'),
  EVERTURN_WORKFLOW_STACK_TRACES: z.enum(['on', 'off'], { error: 'set it to on or off' }).default('off'),
  EVERTURN_BROWSER_ADDRESS: z
    .string()
    .regex(/^(ws|wss|http|https):\/\/\S+$/, 'set it to the ws or http address a running browser is debugged at')
    .optional(),
  EVERTURN_CHROMIUM_PATH: z
    .string()
    .startsWith('/', 'set it to the absolute path of a Chromium, or unset it')
    .optional(),
  EVERTURN_PWSH_PATH: z
    .string()
    .refine(isAbsolute, 'set it to the absolute path of PowerShell, or unset it')
    .optional(),
  EVERTURN_WORKSPACE_DEPENDENCIES: z
    .string()
    .refine(isAbsolute, 'set it to the absolute path of the folder that holds runtime.json, or unset it')
    .optional(),
  EVERTURN_WORKSPACE_DEPENDENCIES_ROOT: z
    .string()
    .refine(isAbsolute, 'set it to the absolute path of a folder for copies, or unset it')
    .optional(),
  EVERTURN_MCP_FILE: z.string().optional(),
  EVERTURN_WORKER_METRICS: hostAndPort('set it to the host:port where metrics are served, or unset it').optional(),
};

/** Which models answer. */
export const providerFields = {
  EVERTURN_PROVIDERS_FILE: z.string().optional(),
  EVERTURN_PROVIDER: identifier('set it to the id of a configured provider').optional(),
  EVERTURN_MODEL: z.string().optional(),
  EVERTURN_STREAM_IDLE_TIMEOUT_MS: milliseconds('how long a model may send nothing').default(300_000),
  EVERTURN_STREAM_SILENCE_LIMIT_MS: milliseconds('how long a model may send keep-alives only').default(600_000),
  EVERTURN_RETRY_LIMIT: wholeNumber({
    min: 0,
    max: 100,
    what: 'how often a failed model call is tried again',
  }).optional(),
  EVERTURN_RETRY_INITIAL_DELAY_MS: milliseconds('the wait before the first retry').optional(),
  EVERTURN_RETRY_MAX_DELAY_MS: milliseconds('the longest wait before a retry').optional(),
  OPENAI_BASE_URL: httpUrl('set it to the base URL of an OpenAI-compatible API, ending in /v1 as a rule').optional(),
  OPENAI_API_KEY: secret('set it to the key of that API').optional(),
  OPENAI_MODEL: z.string().optional(),
  OPENAI_CONTEXT_WINDOW: wholeNumber({
    min: 1_000,
    max: 100_000_000,
    what: 'the tokens a model of that API holds',
  }).optional(),
  EVERTURN_COMPACTION: z.enum(['auto', 'off'], { error: 'set it to auto or off' }).default('auto'),
  OPENAI_MODEL_INPUT: z.enum(['text', 'text,image'], { error: 'set it to text or text,image' }).optional(),
  DEEPSEEK_API_KEY: secret('set it to a DeepSeek key').optional(),
  DEEPSEEK_BASE_URL: httpUrl('set it to the base URL of the DeepSeek API').default('https://api.deepseek.com'),
  ANTHROPIC_API_KEY: secret('set it to an Anthropic key').optional(),
  ANTHROPIC_BASE_URL: httpUrl('set it to the base URL of the Messages API, without /v1').default(
    'https://api.anthropic.com',
  ),
  ANTHROPIC_MODEL: z.string().optional(),
  EVERTURN_SCRIPTED_URL: httpUrl('set it to the base URL of the scripted model server').optional(),
  HTTP_PROXY: httpUrl('set it to http://host:port of the proxy').optional(),
  HTTPS_PROXY: httpUrl('set it to http://host:port of the proxy').optional(),
  NO_PROXY: z.string().optional(),
};

/** Where the API listens. */
export const apiFields = {
  EVERTURN_API_HOST: z.string().default('127.0.0.1'),
  EVERTURN_API_PORT: wholeNumber({ min: 0, max: 65_535, what: 'the port of the API (0 = any free one)' }).default(
    18_080,
  ),
};

/** Where the command line finds the API. */
export const cliFields = {
  EVERTURN_API_URL: httpUrl('set it to the URL of the API, such as http://127.0.0.1:18080').default(
    'http://127.0.0.1:18080',
  ),
  EVERTURN_API_KEY: secret('set it to a key made with `everturn keys create`').optional(),
};

/** Where the scripted model server listens. */
export const scriptedFields = {
  EVERTURN_SCRIPTED_PORT: wholeNumber({
    min: 0,
    max: 65_535,
    what: 'the port of the scripted model server (0 = any free one)',
  }).default(0),
};
