import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { httpUrl, withoutBlanks } from './fields.ts';
import { brokenFile, readJsonFile, type NamedFile } from './json-file.ts';
import { Secret } from './secret.ts';

/** What a hook may take if its entry says nothing, in ms. */
const COMMAND_TIMEOUT_MS = 600_000;
const HTTP_TIMEOUT_MS = 30_000;

const seconds = z.number().positive().max(86_400);
/** Whatever else an entry holds belongs to the product the file was written for. */
const Entry = z.looseObject({
  type: z.string(),
  command: z.string().min(1).optional(),
  timeout: seconds.optional(),
  timeoutSec: seconds.optional(),
  async: z.boolean().optional(),
});
const Group = z.looseObject({ matcher: z.string().optional(), hooks: z.array(Entry) });
const events = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.array(Group).optional()])));

const COMMON = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const;
const CLAUDE = [...COMMON, 'SubagentStart', 'SubagentStop'] as const;

const HttpHook = z.strictObject({
  url: httpUrl('use an http(s) URL'),
  secretEnv: z.string().min(1),
  events: z.array(z.enum(CLAUDE)).min(1),
  matcher: z.string().optional(),
  timeout: seconds.optional(),
  onFailure: z.enum(['fail', 'continue']).default('fail'),
});

const HooksFile = z.strictObject({
  claude: z.strictObject({ hooks: events(CLAUDE), pluginRoot: z.string().optional() }).optional(),
  codex: z.strictObject({ hooks: events(COMMON) }).optional(),
  http: z.array(HttpHook).default([]),
});
type Dialect = 'claude' | 'codex';

/** A command that is run at an event. */
export interface CommandHookConfig {
  dialect: Dialect;
  event: string;
  /** Where it stands: `<group>.<entry>`. */
  position: string;
  matcher?: string;
  command: string;
  timeoutMs: number;
}

/** A service that is asked at events. */
export interface HttpHookConfig {
  position: string;
  url: string;
  secret: Secret;
  events: (typeof CLAUDE)[number][];
  matcher?: string;
  timeoutMs: number;
  /** Whether a service that does not answer well counts as a listener that threw, or as one that said nothing. */
  onFailure: 'fail' | 'continue';
}

export interface HooksConfig {
  commands: CommandHookConfig[];
  http: HttpHookConfig[];
  /** Absolute. */
  pluginRoot: string;
  /** Entries that are of no kind we run, for whoever starts the worker. */
  skipped: string[];
  /** Of the file, so that workers know whether they have the same. */
  digest: string;
}

/** The hooks a file names; throws `CONFIG_FILE`, naming the field and never a secret. */
export function readHooksFile(path: string, source: NodeJS.ProcessEnv): HooksConfig {
  const file: NamedFile = { path, variable: 'EVERTURN_HOOKS_FILE' };
  const json = readJsonFile(file);
  const parsed = HooksFile.safeParse(json);
  if (!parsed.success) throw brokenFile(file, z.prettifyError(parsed.error));
  const { claude, codex, http } = parsed.data;
  const skipped: string[] = [];
  const read = (dialect: Dialect, hooks: Hooks | undefined) => commandsOf(file, dialect, hooks ?? {}, skipped);
  const values = withoutBlanks(source);
  return {
    commands: [...read('claude', claude?.hooks), ...read('codex', codex?.hooks)],
    http: http.map((entry, index) => httpHook(file, entry, index, values)),
    pluginRoot: resolve(dirname(path), claude?.pluginRoot ?? '.'),
    skipped,
    digest: createHash('sha256').update(JSON.stringify(json)).digest('hex'),
  };
}

type Hooks = Record<string, z.output<typeof Group>[] | undefined>;

function commandsOf(file: NamedFile, dialect: Dialect, hooks: Hooks, skipped: string[]): CommandHookConfig[] {
  return Object.entries(hooks).flatMap(([event, groups = []]) =>
    groups.flatMap(({ matcher, hooks: entries }, group) =>
      entries.flatMap((entry, index) => {
        const position = `${group}.${index}`;
        const place = `${dialect}.hooks.${event}.${group}.hooks.${index}`;
        if (entry.type !== 'command' || (dialect === 'codex' && entry.async)) {
          skipped.push(`${place}: ${entry.type === 'command' ? 'async' : entry.type}`);
          return [];
        }
        const { command, timeout, timeoutSec } = entry;
        if (command === undefined) throw brokenFile(file, `${place}.command is missing`);
        const limit = timeout ?? (dialect === 'codex' ? timeoutSec : undefined);
        const timeoutMs = limit === undefined ? COMMAND_TIMEOUT_MS : Math.ceil(limit * 1_000);
        return [{ dialect, event, position, command, timeoutMs, ...(matcher !== undefined && { matcher }) }];
      }),
    ),
  );
}

function httpHook(
  file: NamedFile,
  { secretEnv, timeout, matcher, ...entry }: z.output<typeof HttpHook>,
  index: number,
  values: Record<string, string>,
): HttpHookConfig {
  const secret = values[secretEnv];
  if (secret === undefined) throw brokenFile(file, `http.${index}.secretEnv names ${secretEnv}, which is not set`);
  if (matcher !== undefined && !isExpression(matcher))
    throw brokenFile(file, `http.${index}.matcher is no regular expression`);
  if (new URL(entry.url).password !== '') throw brokenFile(file, `http.${index}.url must hold no password`);
  const timeoutMs = timeout === undefined ? HTTP_TIMEOUT_MS : Math.ceil(timeout * 1_000);
  return {
    ...entry,
    position: `${index}`,
    secret: new Secret(secret),
    timeoutMs,
    ...(matcher !== undefined && { matcher }),
  };
}

function isExpression(text: string): boolean {
  try {
    return text === '*' || new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
