import { isInfraError } from '../process/infra-error.ts';

/** Runs a command's body, answers --help, turns what it throws into text, and ends the process with its status. */
export async function runCommand(help: string, body: (argv: string[]) => Promise<number>): Promise<never> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(`${help}\n`);
    process.exit(0);
  }
  try {
    process.exit(await body(argv));
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  }
}

function describe(error: unknown): string {
  if (isInfraError(error)) return `${error.code}: ${error.message}`;
  // The other rooms' errors say what is wrong and what to do, too; Node's own do not.
  if (error instanceof Error && 'code' in error && /^(POSTGRES|CONFIG|TEMPORAL)_/.test(String(error.code)))
    return `${String(error.code)}: ${error.message}`;
  // parseArgs says what is wrong with the arguments; its stack would only hide it.
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
