import { IMAGE_LIMITS, NetworkMode, SHELL_DEFAULTS } from '@everturn/core/domain';
import { z } from 'zod';
import { DelegationRows } from './delegation-row.ts';
import { TeamSettings } from './team-settings.ts';

/** The longest a timer can wait, in ms. */
export const MAX_TIMER_MS = 2_147_483_647;

const duration = z.number().positive().max(MAX_TIMER_MS);
const count = z.int().positive();

/** How much one process, or with `processes` one call, may take; absent: as much as there is. */
export const SandboxLimits = z.strictObject({
  /** CPU seconds of a process. */
  cpuSeconds: count.optional(),
  /** Bytes of data a process may hold. */
  memoryBytes: count.optional(),
  /** Processes and threads at a time. */
  processes: count.optional(),
  /** Bytes of a file that is written, and of the temporary folder a confined command gets. */
  fileBytes: count.optional(),
});
export type SandboxLimits = z.infer<typeof SandboxLimits>;

/** What a deployment decides about the tools, with what we ship as defaults; bad values fail at start. */
export const ToolSettings = z.strictObject({
  /** UTF-8 bytes of a result shown inline; absent: never bounded. */
  maxInlineBytes: z.int().nonnegative().optional().default(50_000),
  shell: z
    .strictObject({
      timeoutMs: duration.default(SHELL_DEFAULTS.timeoutMs),
      maxTimeoutMs: duration.default(SHELL_DEFAULTS.maxTimeoutMs),
      /** Kept per stream. */
      maxOutputBytes: count.default(SHELL_DEFAULTS.maxOutputBytes),
      /** Mirrored to a file per stream. */
      maxSpillBytes: z.int().nonnegative().default(SHELL_DEFAULTS.maxSpillBytes),
      graceMs: duration.default(SHELL_DEFAULTS.graceMs),
      enableRunInBackground: z.boolean().default(true),
    })
    .prefault({}),
  jobs: z
    .strictObject({
      /** Jobs of one session that run at a time, those told to end among them. */
      maxActive: count.default(10),
      /** How long `job_output` waits when told to wait and not how long, and the longest it may be told. */
      waitMs: duration.default(30_000),
      maxWaitMs: duration.default(600_000),
      /** UTF-8 bytes of one `job_output` result or completion notice. */
      outputLimitBytes: z.int().min(64).default(30_000),
      /** Output kept per job for readers; older output is dropped. */
      keptOutputBytes: count.default(1024 * 1024),
      /** Whether the end of a job may begin a turn of an idle session. */
      completionDelivery: z.enum(['wakeup', 'quiet']).default('wakeup'),
      /** Turns that ends of jobs may begin in a row, until a person writes again. */
      maxConsecutiveWakes: z.int().nonnegative().default(3),
    })
    .refine(({ waitMs, maxWaitMs }) => waitMs <= maxWaitMs, 'waitMs must not be above maxWaitMs')
    .prefault({}),
  read: z
    .strictObject({
      /** Default and most lines a call returns. */
      limit: count.default(2_000),
      maxLineCharacters: count.default(2_000),
      maxBytes: count.default(51_200),
    })
    .prefault({}),
  files: z
    .strictObject({
      /** Whether a file must have been read before it is replaced or edited, and be unchanged since. */
      readBeforeWrite: z.boolean().default(true),
    })
    .prefault({}),
  images: z
    .strictObject({
      /** Of the file. */
      maxBytes: count.default(IMAGE_LIMITS.maxBytes),
      maxPixels: count.default(IMAGE_LIMITS.maxPixels),
      maxSide: count.default(IMAGE_LIMITS.maxSide),
      /** What a model is shown at most; larger pictures are made smaller. */
      maxShownSide: count.default(IMAGE_LIMITS.maxShownSide),
      maxShownBytes: count.default(IMAGE_LIMITS.maxShownBytes),
    })
    .prefault({}),
  search: z
    .strictObject({
      globMaxResults: count.default(100),
      sampleOverCapGlobResults: z.boolean().default(true),
      grepMaxMatches: count.default(250),
      maxLineBytes: count.default(2_000),
      maxStdoutBytes: count.default(20_000_000),
      maxStderrBytes: count.default(65_536),
      maxMetaBytes: count.default(65_536),
      graceMs: duration.default(3_000),
    })
    .prefault({}),
  present: z
    .strictObject({
      /** Files of one call. */
      maxFiles: count.default(4),
    })
    .prefault({}),
  web: z
    .strictObject({
      /** Queries of one `web_search` call. */
      searchMaxQueries: count.default(4),
      /** Sources of one `web_search` call. */
      searchMaxResults: count.default(8),
    })
    .prefault({}),
  sandbox: z
    .strictObject({
      /** For sessions that do not say. */
      network: NetworkMode.default('full'),
      limits: SandboxLimits.prefault({}),
    })
    .prefault({}),
  terminal: z
    .strictObject({
      /** Terminals of one session at a time, those whose shell has ended among them. */
      maxOpen: count.default(10),
      columns: count.default(160),
      rows: count.default(40),
      scrollbackLines: count.default(10_000),
      scrollbackBytes: count.default(4 * 1024 * 1024),
      maxReadBytes: count.default(256 * 1024),
      /** UTF-8 bytes of a result, what is said about it included. */
      maxResultBytes: z.int().min(64).default(262_144),
      pollMs: count.default(50),
      /** Before this nobody is looked for who waits for input. */
      probeAfterMs: count.default(150),
      /** A silence after which a program without a prompt counts as idle. */
      idleMs: count.default(3_000),
      /** How long a prompt must be the last word where readers cannot be seen. */
      handoffMs: count.default(500),
      sendTimeoutMs: duration.default(30_000),
      enableRunInBackground: z.boolean().default(true),
      readyTimeoutMs: duration.default(30_000),
      graceMs: duration.default(3_000),
    })
    .refine(
      ({ maxReadBytes, scrollbackBytes }) => maxReadBytes <= scrollbackBytes,
      'maxReadBytes exceeds scrollbackBytes',
    )
    .refine(({ handoffMs, pollMs }) => handoffMs >= pollMs, 'handoffMs is less than pollMs')
    .prefault({}),
  persistentShell: z
    .strictObject({ timeoutMs: duration.default(300_000), maxOutputChars: count.default(16_000) })
    .prefault({}),
  /** When an agent is told that it makes the same call again and again. */
  repeatReminder: z
    .strictObject({
      thresholds: z
        .array(z.int().min(2))
        .refine((all) => new Set(all).size === all.length, 'each threshold once')
        .default([3, 5, 8]),
      include: z.array(z.string()).optional(),
      exclude: z.array(z.string()).default([]),
    })
    .prefault({}),
  program: z
    .strictObject({
      timeoutMs: duration.default(120_000),
      maxTimeoutMs: duration.default(600_000),
      /** Bodies of a program's calls that run at once. */
      maxParallelSubCalls: count.default(10),
      maxCalls: count.default(500),
      maxPendingCalls: count.default(128),
      memoryBytes: count.default(512 * 1024 * 1024),
      /** Of what it prints and returns, together. */
      maxOutputBytes: count.default(67_108_864),
      maxInstructions: count.default(1_000_000_000_000),
    })
    .prefault({}),
  delegation: DelegationRows,
  team: TeamSettings,
  workflow: z
    .strictObject({
      /** Who makes a script's agents. */
      provider: z.string().min(1).default('spawn'),
      /** UTF-16 units of what a script returned that a model is shown. */
      maxResultChars: count.default(50_000),
      /** Agents of one script that work at the same time. */
      maxConcurrentAgents: count.default(4),
      maxTotalAgents: count.default(1_000),
      /** Of one list that a script hands over. */
      maxItemsPerCall: count.default(4_096),
      /** For what a script does before it first waits. */
      syncTimeoutMs: duration.default(5_000),
    })
    .prefault({}),
  ralph: z
    .strictObject({
      /** Who makes the agents of its rounds. */
      subagentProvider: z.string().min(1).default('spawn'),
      /** Most rounds a call may ask for, and how many it has when it asks for none. */
      maxRounds: count.default(256),
      defaultRounds: count.default(64),
      /** Characters of a report, and of the result. */
      maxHandoffChars: count.default(16_384),
      maxResultChars: count.default(16_384),
    })
    .prefault({}),
  todo: z.strictObject({ allowParallelInProgress: z.boolean().default(true) }).prefault({}),
});
export type ToolSettings = z.infer<typeof ToolSettings>;

/** What bodies that run in workflow code know of the settings: they travel with each of their calls. */
export type WorkflowSettings = Pick<ToolSettings, 'delegation' | 'jobs' | 'program' | 'team' | 'ralph' | 'todo'> & {
  workflow: Pick<ToolSettings['workflow'], 'provider' | 'maxConcurrentAgents'>;
};
/** The part of the settings that workflow code knows. */
export const workflowSettings = ({
  delegation,
  jobs,
  program,
  ralph,
  team,
  todo,
  workflow,
}: ToolSettings): WorkflowSettings => ({
  delegation,
  jobs,
  program,
  ralph,
  team,
  todo,
  workflow: { provider: workflow.provider, maxConcurrentAgents: workflow.maxConcurrentAgents },
});

export type ImageSettings = ToolSettings['images'];
