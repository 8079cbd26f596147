import { expect, test } from 'vitest';
import { AbortedBeforeSpawn, type ProcessesPort } from '../kit/index.ts';
import { Ripgrep } from './ripgrep.ts';

const search = (failure: Error, signal: AbortSignal) => {
  const refuse = () => Promise.reject(failure);
  const processes: ProcessesPort = { run: refuse, start: refuse };
  const limits = { graceMs: 1, maxStdoutBytes: 1, maxStderrBytes: 1 };
  return new Ripgrep(processes).run({ args: [], cwd: '/', signal, ...limits });
};

test.each([
  ['a program that cannot start', new Error('spawn'), AbortSignal.timeout(60_000), 'SEARCH_FAILED'],
  ['the same, cancelled meanwhile', new Error('spawn'), AbortSignal.abort(), 'SEARCH_FAILED'],
  ['a cancel before it starts', new AbortedBeforeSpawn('why'), AbortSignal.abort(), 'SEARCH_ABORTED'],
])('%s', async (_what, failure, signal, code) => {
  await expect(search(failure, signal)).rejects.toMatchObject({ code });
});
