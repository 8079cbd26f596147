import type { SandboxMode } from '@everturn/core/domain';
import type { BackgroundEnd, BackgroundProcess, ConfinedCommand } from '../../kit/index.ts';
import { asKilled } from './confined-outcome.ts';

/** A confined process as others are, whose end also says what its confinement had to do with it. */
export function confinedBackground(
  started: BackgroundProcess,
  mode: SandboxMode,
  confined: Pick<ConfinedCommand, 'runner' | 'judge' | 'release'>,
): BackgroundProcess {
  let end: 'its own' | 'asked for' = 'its own';
  const judged = (ended: BackgroundEnd): BackgroundEnd => {
    // A runner that waited for a killed command reports the kill as a status.
    if (end === 'asked for') return confined.runner ? asKilled(ended) : ended;
    const verdict = confined.judge({ exitCode: ended.exitCode, stderr: ended.stderrTail });
    return verdict === 'ran' ? ended : { ...ended, sandbox: { mode, verdict } };
  };
  return {
    read: () => started.read(),
    ended: started.ended.then(judged).finally(() => void confined.release()),
    terminate() {
      end = 'asked for';
      return started.terminate();
    },
  };
}
