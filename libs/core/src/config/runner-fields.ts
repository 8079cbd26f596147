import { z } from 'zod';
import { ConfigError } from './config-error.ts';

/** A program of the operator's that confines commands, in place of all others. */
export interface RunnerCommand {
  /** Program and first arguments; what follows is what bubblewrap would be given. */
  argv: string[];
  /** Each stands in a line that the runner writes where it fails itself. */
  failureSignatures: string[];
}

const list = (what: string) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: what });
        return z.NEVER;
      }
    })
    .pipe(
      z
        .array(z.string({ error: what }).regex(/^[^\r\n\0]*\S[^\r\n\0]*$/, what), { error: what })
        .nonempty(what)
        .max(64, what),
    );

export const runnerFields = {
  EVERTURN_SANDBOX_RUNNER: list(
    'set it to a JSON list: the program that confines commands and its first arguments',
  ).optional(),
  EVERTURN_SANDBOX_RUNNER_FAILURES: list(
    'set it to a JSON list of texts of one line, each in a line the runner writes where it fails',
  ).optional(),
};

/** The configured runner; its failures must be told from those of commands, so both variables go together. */
export function runnerCommand(env: z.output<z.ZodObject<typeof runnerFields>>): RunnerCommand | undefined {
  const { EVERTURN_SANDBOX_RUNNER: argv, EVERTURN_SANDBOX_RUNNER_FAILURES: failureSignatures } = env;
  if (argv && failureSignatures) return { argv, failureSignatures };
  if (!argv && !failureSignatures) return undefined;
  const [absent, present] = argv
    ? ['EVERTURN_SANDBOX_RUNNER_FAILURES', 'EVERTURN_SANDBOX_RUNNER']
    : ['EVERTURN_SANDBOX_RUNNER', 'EVERTURN_SANDBOX_RUNNER_FAILURES'];
  throw new ConfigError('CONFIG_INVALID', `${absent} is not set: it goes with ${present}`);
}
