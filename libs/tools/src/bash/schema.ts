import {
  defineTool,
  fieldsOf,
  resultText,
  shellJobLabel,
  stringField,
  type CallPresenter,
  type ResultPresenter,
} from '../kit/index.ts';

/** A call as a terminal whose title is the command's purpose. */
const presentBashCall: CallPresenter = (args) => {
  const command = stringField(args, 'command');
  if (command === undefined) return undefined;
  return { card: 'terminal', title: stringField(args, 'description') ?? command, command };
};

/** A finished command with its output and how it ended; failures of the tool itself are plain text. */
const presentBashResult: ResultPresenter = (args, result) => {
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

/** Runs one command in a fresh shell. */
export const bash = defineTool({
  name: 'bash',
  description: [
    'Runs a command with `bash -c` on the machine of the session and returns what it wrote to stdout and stderr.',
    'Every call starts a new shell: directory changes, variables and functions do not carry over, so use `workdir` rather than `cd`. Standard input is empty and there is no terminal.',
    'A command that fails is not an error of the tool: look for `[exit code: N]`, `[killed by signal: S]` or `[timed out after Nms]` at the end of the text.',
    'Of long output the first lines and the end are returned; where possible the whole is saved and its path is given.',
    'What is started with `&` is unheard after the call and ends at the latest with the session; under a sandbox mode other than danger-full-access it ends with the call, and /tmp is empty at the start of each call.',
    'The variables `$EVERTURN_…` describe the environment; credentials of the host are not passed on.',
    'If a file sandbox is active, `[sandbox: file access denied under <mode> mode]` means that policy refused a file operation: do not look for a way around it.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The command line, as bash reads it.' },
      description: {
        type: 'string',
        description:
          'What the command is for, in five to ten words that start with a verb, for the people who watch: "Run the unit tests", "List changed files".',
      },
      timeoutMs: {
        type: 'number',
        description:
          'Milliseconds after which the command and everything it started is ended. Default 60000, at most 600000; a larger number counts as the largest.',
      },
      workdir: {
        type: 'string',
        description: 'Directory to run in. Default: the session workspace, where relative paths start too.',
      },
      run_in_background: {
        type: 'boolean',
        description:
          'Return at once with the id of a job that runs without a time limit; read it with job_output, end it with job_kill.',
      },
    },
    required: ['command', 'description'],
  },
  home: 'host',
  effect: 'at-most-once',
  escalation: 'command',
  background: { argument: 'run_in_background', kind: 'bash', label: shellJobLabel },
  promptSection: {
    name: 'tool:bash',
    order: 105,
    text: 'After every bash call look at the end of its result: no marker means exit code 0; `[exit code: N]`, `[killed by signal: S]` and `[timed out after Nms]` mean the command did not succeed, whatever it printed. Say so instead of going on as if it had.',
  },
  presentCall: presentBashCall,
  presentResult: presentBashResult,
});
