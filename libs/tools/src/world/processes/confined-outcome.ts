import { constants } from 'node:os';
import type { SandboxMode } from '@everturn/core/domain';
import {
  ToolError,
  type ConfinedCommand,
  type Enforcement,
  type ProcessOutcome,
  type SandboxFacts,
} from '../../kit/index.ts';

/** Adds what the end says of the confinement; throws where the command did not run because of it. */
export function confinedOutcome(
  outcome: ProcessOutcome,
  mode: SandboxMode,
  { runner, enforcement, judge }: Pick<ConfinedCommand, 'runner' | 'enforcement' | 'judge'>,
): ProcessOutcome {
  const { exitCode, timedOut, aborted, stderr } = outcome;
  // A killed command says nothing of its confinement, and a runner that waited for it reports the kill as a status.
  if (timedOut || aborted)
    return { ...(runner ? asKilled(outcome) : outcome), sandbox: facts(mode, false, enforcement) };
  const verdict = judge({ exitCode, stderr: stderr.text });
  if (verdict === 'runner-failed')
    throw new ToolError(
      'SANDBOX_UNAVAILABLE',
      `the command did not run: it could not be confined to ${mode}: ${stderr.text.trim()}`,
    );
  return { ...outcome, sandbox: facts(mode, verdict === 'denied', enforcement) };
}

const facts = (mode: SandboxMode, denied: boolean, enforcement: Enforcement | undefined): SandboxFacts => ({
  mode,
  denied,
  ...(enforcement && { enforcement }),
});

/** A status that stands for a signal, as the signal. */
export function asKilled<E extends { exitCode: number | null; signal: string | null }>(outcome: E): E {
  const { exitCode } = outcome;
  const signal = Object.entries(constants.signals).find(([, number]) => number + 128 === exitCode)?.[0];
  return signal === undefined ? outcome : { ...outcome, exitCode: null, signal };
}
