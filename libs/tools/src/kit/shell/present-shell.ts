import { fieldsOf, resultText, stringField, type CallPresenter, type ResultPresenter } from '../presentation.ts';

/** A call as a terminal whose title is the command's purpose. */
export const presentShellCall: CallPresenter = (args) => {
  const command = stringField(args, 'command');
  if (command === undefined) return undefined;
  return { card: 'terminal', title: stringField(args, 'description') ?? command, command };
};

/** A finished command with its output and how it ended; failures of the tool itself and jobs are plain text. */
export const presentShellResult: ResultPresenter = (args, result) => {
  const command = stringField(args, 'command');
  if (command === undefined) return undefined;
  const title = stringField(args, 'description') ?? command;
  const output = resultText(result);
  if (result.isError || fieldsOf(args)['run_in_background'] === true) return { card: 'generic', title, detail: output };
  return { card: 'terminal', title, command, output, exit: exitOf(result.meta) ?? exitFrom(output) };
};

/** How the body says it ended; the text does not tell once its end was cut away. */
function exitOf(meta: unknown): { code: number } | { signal: string } | undefined {
  const { exitCode, signal } = fieldsOf(meta);
  if (typeof signal === 'string') return { signal };
  return typeof exitCode === 'number' ? { code: exitCode } : undefined;
}

/** Only a marker on a line of its own at the very end counts; what a command prints like one does not. */
function exitFrom(output: string): { code: number } | { signal: string } {
  const match = /\n\[(?:exit code: (\d+)|killed by signal: (\w+))\]$/.exec(output);
  if (match?.[2] !== undefined) return { signal: match[2] };
  return { code: Number(match?.[1] ?? 0) };
}
