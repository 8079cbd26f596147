import { z } from 'zod';
import { registerSettings } from './settings-namespace.ts';

/** The name of the settings that say what one command of a shell may take. */
export const SHELL_SETTINGS = 'shell';

/** What commands of `bash` and `pwsh` get unless a deployment or a tenant says otherwise. */
export const SHELL_DEFAULTS = Object.freeze({
  /** For commands that name no time. */
  timeoutMs: 60_000,
  /** The longest a command may ask for. */
  maxTimeoutMs: 600_000,
  /** Bytes kept per stream. */
  maxOutputBytes: 64_000,
  /** Bytes mirrored to a file per stream. */
  maxSpillBytes: 64 * 1024 * 1024,
  /** Between being told to end and being killed. */
  graceMs: 3_000,
});

/** What the namespace `shell` comes to. */
export type ShellLimits = { -readonly [Limit in keyof typeof SHELL_DEFAULTS]: number };

/** Whoever is cancelled has 10 s until its step goes on without it. */
const MOST_GRACE_MS = 8_000;
const time = z.number().positive().max(86_400_000);

registerSettings({
  name: SHELL_SETTINGS,
  description:
    'What one command of `bash` or `pwsh` may take: its time (`timeoutMs`, at most `maxTimeoutMs`), the bytes kept per stream (`maxOutputBytes`) and mirrored to a file (`maxSpillBytes`), and how long it has to end once it is told to (`graceMs`)',
  schema: z.strictObject({
    timeoutMs: time,
    maxTimeoutMs: time,
    maxOutputBytes: z.int().positive().max(1_048_576),
    maxSpillBytes: z.int().nonnegative().max(1_073_741_824),
    graceMs: z.number().positive().max(MOST_GRACE_MS),
  }),
  defaults: SHELL_DEFAULTS,
  applies: 'live',
});
