import type { EndedProcess, SandboxVerdict } from '../../kit/index.ts';
import { LIMITS_FAILURE } from './limits.ts';
import type { RunnerDialect } from './runner.ts';

/**
 * What the end of a confined process means; without a dialect nothing but its limits confined it. The exit status
 * alone proves nothing: a failure of the runner must show in a line of its own words, a denial in the words this
 * runner's confinement uses, and failure outranks denial, because nothing ran then.
 */
export function judgeOutcome(dialect: RunnerDialect | undefined, { exitCode, stderr }: EndedProcess): SandboxVerdict {
  if (exitCode === null || exitCode === 0) return 'ran';
  const { denials = [], failure, informational } = dialect ?? {};
  const lines = stderr.split('\n').filter((line) => !informational?.includes(line));
  if (exitCode === 125 && lines.some((line) => line.startsWith(LIMITS_FAILURE))) return 'runner-failed';
  const failed = failure && (failure.exitCode ?? exitCode) === exitCode;
  if (failed && lines.some((line) => failure.texts.some((text) => line.includes(text)))) return 'runner-failed';
  const said = lines.join('\n').toLowerCase();
  return denials.some((denial) => said.includes(denial)) ? 'denied' : 'ran';
}
