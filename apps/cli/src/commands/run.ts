import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CliError } from '../platform/cli-error.ts';
import type { Context } from '../platform/context.ts';
import { EXIT_STATUS_HELP } from '../platform/exit-status.ts';
import { checkout } from '../platform/settings.ts';
import type { RunOptions } from '../run/run-options.ts';

/** `run "prompt"`: enqueue and follow. */
export function addRun(program: Command, context: Context): void {
  program
    .command('run')
    .argument('[prompt]', 'what to do; - reads it from standard input')
    .description('Send a prompt, follow what the agent does, and end with the status of its turn')
    .option('--demo', 'run the demo job on a fresh copy of the demo project')
    .option('-s, --session <id>', 'send it to this session instead of a new one')
    .option('-w, --workspace <folder>', 'where the agent works; default: a fresh folder of its own')
    .option('--provider <id>', 'the provider of a new session; default: the first one configured')
    .option('--model <id>', 'the model of a new session')
    .option('--toolsets <names>', 'optional sets of tools of a new session, separated by commas, such as terminal')
    .option('--json', 'show nothing on the way and print the outcome as one JSON object')
    .addHelpText('after', `\nCtrl-C cancels the turn.${EXIT_STATUS_HELP}`)
    .action(async (prompt: string | undefined, options: RunOptions) => {
      const text = await promptOf(prompt, options);
      refuseContradictions(options);
      const { run } = await import('../run/run.ts');
      process.exitCode = await run({ context, prompt: text, options });
    });
}

async function promptOf(prompt: string | undefined, { demo }: RunOptions): Promise<string> {
  if (demo && prompt !== undefined) throw usage('--demo brings its own prompt', 'leave one of the two out');
  const text = demo ? readFileSync(join(checkout, 'infra/demo/prompt.md'), 'utf8') : await given(prompt);
  if (text.trim() !== '') return text;
  throw usage('there is no prompt', 'say what to do: everturn run "your prompt", or everturn run --demo');
}

async function given(prompt: string | undefined): Promise<string> {
  return prompt === '-' ? readAll(process.stdin) : (prompt ?? '');
}

function refuseContradictions({ session, demo, workspace, provider, model, toolsets }: RunOptions): void {
  if (session === undefined) return;
  const chosen = Object.entries({ demo, workspace, provider, model, toolsets }).find(
    ([, value]) => value !== undefined,
  );
  if (chosen) throw usage(`--${chosen[0]} is for new sessions`, 'leave out --session, or that');
}

function usage(what: string, remedy: string): CliError {
  return new CliError({ code: 'CLI_USAGE', what, remedy });
}
