import { parseArgs } from 'node:util';
import { InfraError } from '../process/infra-error.ts';

/** What `npm run up` can be told. */
export interface UpOptions {
  /** End with the job, and with its status. */
  readonly once: boolean;
  readonly demo: boolean;
  readonly prompt: string | undefined;
  readonly serversOnly: boolean;
}

/** Its help. */
export const upHelp = `usage: npm run up [-- options] [-- "prompt"]

Starts PostgreSQL, Temporal with its UI, the worker and the API on this machine, runs the demo job, and stays up
until Ctrl-C. Data is kept in .everturn/. Safe to repeat: a second one uses the running stack.

  "prompt"        run this instead of the demo job
  --once          end after the job, with its exit status
  --no-demo       run no job
  --servers-only  only PostgreSQL and Temporal, prepared; for running worker and API yourself

  OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL   your own model; without one a scripted stand-in answers
  DEEPSEEK_API_KEY, ANTHROPIC_API_KEY             the same for DeepSeek and Anthropic
  DATABASE_URL, TEMPORAL_ADDRESS                  use these instead of starting servers`;

/** Parses its arguments. */
export function parseUpOptions(argv: string[]): UpOptions {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      once: { type: 'boolean', default: false },
      'no-demo': { type: 'boolean', default: false },
      'servers-only': { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 1) {
    throw new InfraError(
      'INFRA_BAD_ARGUMENT',
      'more than one prompt',
      'put the prompt in quotes: npm run up -- "your prompt"',
    );
  }
  const serversOnly = values['servers-only'];
  const prompt = positionals[0];
  if (serversOnly && (prompt !== undefined || values.once)) {
    throw new InfraError(
      'INFRA_BAD_ARGUMENT',
      '--servers-only starts nothing that could run a job',
      'leave out the prompt and --once',
    );
  }
  return { once: values.once, prompt, serversOnly, demo: !values['no-demo'] && !serversOnly && prompt === undefined };
}

/** The command line's arguments for the job, or undefined when there is none to run. */
export function jobArguments({ prompt, demo }: UpOptions): string[] | undefined {
  if (prompt !== undefined) return ['run', '--', prompt];
  return demo ? ['run', '--demo'] : undefined;
}
