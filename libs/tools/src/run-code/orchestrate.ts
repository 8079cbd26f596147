import { orchestrateTool, requireGrant } from '../kit/index.ts';
import { runCode } from './schema.ts';

/** Checks what the model wrote about its program, and has it run. */
export const orchestrateRunCode = orchestrateTool(runCode, async (args, { program, settings, granted }) => {
  const { code, description, timeoutMs } = args;
  if (description.trim() === '') throw new Error('invalid description: expected a non-empty string');
  if (timeoutMs !== undefined && !(timeoutMs > 0 && Number.isFinite(timeoutMs)))
    throw new Error('invalid timeoutMs: expected a positive finite number');
  requireGrant(args, { ...(granted && { granted }) });
  if (!program) throw new Error('run_code cannot be called by a program');
  const { timeoutMs: usual, maxTimeoutMs } = settings.program;
  const request = { kind: 'run_code', code, timeoutMs: Math.min(timeoutMs ?? usual, maxTimeoutMs) } as const;
  return { events: [], output: { settled: await program.run(request) } };
});
