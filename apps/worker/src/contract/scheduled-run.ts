import type { RequestId, SessionId, TenantId } from '@everturn/core/domain';
import type { FiringInput } from '@everturn/core/protocol';

export type FireScheduleResult =
  | { kind: 'sent'; session: SessionId; promptId: RequestId }
  | { kind: 'refused'; code: string; message: string };

export interface PromptStateInput {
  tenant: TenantId;
  session: SessionId;
  promptId: RequestId;
  /** Whoever sent it has taken it back: it is not sent again. */
  withdrawn?: true;
}

export type FiringState = 'waiting' | 'done' | 'discarded';

export interface ScheduledRunActivities {
  /** Brings the message of a firing to its session, which is made if need be. */
  fireSchedule(input: FiringInput): Promise<FireScheduleResult>;
  /** How far a message came; one that was lost on its way to its session is sent again. */
  promptState(input: PromptStateInput): Promise<{ state: FiringState }>;
}
