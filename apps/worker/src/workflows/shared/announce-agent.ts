import { proxySinks } from '@temporalio/workflow';
import type { ChildStop, DelegationMode, SessionId } from '@everturn/core/domain';
import type { LiveSinks, SessionRef } from '../../contract/index.ts';

const { live } = proxySinks<LiveSinks>();

export interface AnnouncedAgent {
  child: SessionId;
  mode: DelegationMode;
  /** Which of its lives, where it may have several. */
  epoch?: number;
}

/** Tells whoever listens right now that an agent begins to work, or how it ended; a pair for each run that was published. */
export function announceAgent(
  { tenant, session }: Pick<SessionRef, 'tenant' | 'session'>,
  { child, mode, epoch = 1 }: AnnouncedAgent,
  stopReason?: ChildStop,
): void {
  const run = { tenant, session, runId: `${child}.${epoch}`, id: child, mode, local: true } as const;
  live.publish(
    stopReason === undefined ? { kind: 'subagent/start', ...run } : { kind: 'subagent/end', ...run, stopReason },
  );
}
