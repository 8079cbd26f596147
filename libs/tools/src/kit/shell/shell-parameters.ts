import { SHELL_DEFAULTS, type ShellLimits } from '@everturn/core/domain';
import type { ParameterSchema } from '../json-schema.ts';

const timeSpan = ({ timeoutMs, maxTimeoutMs }: Pick<ShellLimits, 'timeoutMs' | 'maxTimeoutMs'>) =>
  ({
    type: 'number',
    description: `Milliseconds after which the command and everything it started is ended. Default ${Math.min(timeoutMs, maxTimeoutMs)}, at most ${maxTimeoutMs}; a larger number counts as the largest.`,
  }) as const;

/** What every one-shot shell takes beside its command. */
export const SHELL_PARAMETERS = {
  description: {
    type: 'string',
    description:
      'What the command is for, in five to ten words that start with a verb, for the people who watch: "Run the unit tests", "List changed files".',
  },
  timeoutMs: timeSpan(SHELL_DEFAULTS),
  workdir: {
    type: 'string',
    description: 'Directory to run in. Default: the session workspace, where relative paths start too.',
  },
  run_in_background: {
    type: 'boolean',
    description:
      'Return at once with the id of a job that runs without a time limit; read it with job_output, end it with job_kill.',
  },
} as const;

/** A tool's parameters where commands have other limits; only one-shot shells speak of those. */
export const withShellLimits = (parameters: ParameterSchema, limits: ShellLimits): ParameterSchema =>
  parameters.properties?.['timeoutMs'] === SHELL_PARAMETERS.timeoutMs
    ? { ...parameters, properties: { ...parameters.properties, timeoutMs: timeSpan(limits) } }
    : parameters;

/** What a model is told once about a one-shot shell of this name. */
export const shellPrompt = (name: 'bash' | 'pwsh') => ({
  name: `tool:${name}`,
  order: 105,
  text: `After every ${name} call look at the end of its result: no marker means exit code 0; \`[exit code: N]\`, \`[killed by signal: S]\` and \`[timed out after Nms]\` mean the command did not succeed, whatever it printed. Say so instead of going on as if it had.`,
});
