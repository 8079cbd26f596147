import { ConfigError } from '@everturn/core/config';
import { CommanderError } from 'commander';
import { inert, inertLine } from '../terminal/inert.ts';
import { ApiRefusal, CliError } from './cli-error.ts';
import { USAGE_STATUS } from './exit-status.ts';

/** How a failure is told: a line for stderr, the exit status, and the stack for --debug. */
export interface Explained {
  /** Absent where everything has been said, as after --help. */
  line?: string;
  status: number;
  stack?: string;
}

const LONGEST_LINE = 2_000;

/** Turns whatever was thrown into one inert line that begins with its code. */
export function explain(error: unknown): Explained {
  if (error instanceof CommanderError) return explainUsage(error);
  const stack = error instanceof Error ? inert(stackOf(error)) : undefined;
  const status = error instanceof CliError && error.code === 'CLI_USAGE' ? USAGE_STATUS : 1;
  const told = { status, ...(stack !== undefined && { stack }) };
  if (error instanceof CliError || error instanceof ApiRefusal || error instanceof ConfigError) {
    return { ...told, line: inertLine(`${error.code}: ${error.message.replaceAll('\n', '; ')}`, LONGEST_LINE) };
  }
  const { code, message } = error instanceof Error ? (error as Error & { code?: unknown }) : { message: String(error) };
  const named = typeof code === 'string' ? `${code}: ` : '';
  // Errors of our rooms say what to do themselves; of any other only a stack helps.
  const remedy = /^(?!ERR_)[A-Z]+(?:_[A-Z]+)+: /.test(named) ? '' : ' → --debug shows where';
  return { ...told, line: inertLine(`${named}${message || 'failed'}${remedy}`, LONGEST_LINE) };
}

function explainUsage({ code, exitCode, message }: CommanderError): Explained {
  if (exitCode === 0) return { status: 0 };
  // A group of commands without a command has printed its help.
  if (code === 'commander.help') return { status: USAGE_STATUS };
  const text = message.replace(/^error: /, '').replace(/^\(outputHelp\)$/, '');
  return { status: USAGE_STATUS, line: `CLI_USAGE: ${inertLine(text, LONGEST_LINE)} → see --help` };
}

function stackOf(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${stackOf(error.cause)}` : own;
}
