#!/usr/bin/env node
import { Context } from './platform/context.ts';
import { explain } from './platform/explain.ts';
import { createProgram } from './program.ts';

// A reader that went away, such as `head`, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const program = createProgram(new Context());
try {
  await program.parseAsync();
} catch (error) {
  const { line, status, stack } = explain(error);
  if (line !== undefined) process.stderr.write(`everturn: ${line}\n`);
  if (program.opts<{ debug?: true }>().debug && stack !== undefined) process.stderr.write(`${stack}\n`);
  process.exitCode = status;
}
