import { afterAll } from 'vitest';
import type { ProgramEnd } from '../src/kit/index.ts';
import { ProgramPool, type CallAnswer, type Program } from '../src/world/programs/index.ts';

/** The threads of a test file's programs. */
export const pool = new ProgramPool({ maxThreads: 2 });
afterAll(() => pool.dispose());

export const LIMITS = { memoryBytes: 8 << 20, instructions: 2e10, outputBytes: 100_000, calls: 500, pendingCalls: 128 };
export const program = (code: string, changes: Partial<Program> = {}): Program => ({
  code,
  language: 'typescript',
  functions: ['read', 'toString'].map((name) => ({ object: 'tools', name })),
  seed: 7,
  now: Date.UTC(2026, 0, 2),
  limits: LIMITS,
  name: 'run_code',
  ...changes,
});
export const slice = (budgetMs = 20_000, signal = new AbortController().signal) => ({ budgetMs, signal });

export interface Ran {
  end: ProgramEnd | 'waiting';
  logs: string[];
  calls: string[];
}
/** Runs a program, answering in so many slices what is given. */
export async function run(given: Program, answers: CallAnswer[][] = [], budgetMs?: number): Promise<Ran> {
  const running = await pool.start(given, slice(budgetMs));
  for (const some of answers) await running.answer(some, slice(budgetMs));
  const { state, logs, calls } = running;
  await pool.close(running);
  return {
    end: state.kind === 'waiting' ? 'waiting' : state.end,
    logs,
    calls: calls.map((call) => `${call.n} ${call.name} ${call.arguments}`),
  };
}
export const returned = (value: unknown) => ({ kind: 'returned', json: JSON.stringify(value) });
export const failed = (failure: string, message: unknown) => ({ kind: 'failed', failure, message });
export const value = (n: number, json: unknown): CallAnswer => ({ n, kind: 'value', json: JSON.stringify(json) });
