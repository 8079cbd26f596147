import type { RequestId, SessionId, TenantId } from '@everturn/core/domain';
import type { FiringInput } from '@everturn/core/protocol';

export type FireScheduleResult =
  | { kind: 'sent'; session: SessionId; promptId: RequestId }
  | { kind: 'refused'; code: string; message: string };

export interface PromptStateInput {
  tenant: TenantId;
  session: SessionId;
  promptId: RequestId;
}

export interface ScheduledRunActivities {
  /** Brings the message of a firing to its session, which is made if need be. */
  fireSchedule(input: FiringInput): Promise<FireScheduleResult>;
  /** How far a message came. */
  promptState(input: PromptStateInput): Promise<{ state: 'waiting' | 'done' | 'discarded' }>;
}
