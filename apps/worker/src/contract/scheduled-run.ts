import type { RequestId, SessionId, TenantId } from '@everturn/core/domain';
import type { ScheduledRunInput } from '@everturn/core/protocol';

export interface FireScheduleInput extends ScheduledRunInput {
  /** Names this firing for good: sent again it is the same message. */
  firing: string;
}
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
  fireSchedule(input: FireScheduleInput): Promise<FireScheduleResult>;
  /** How far a message came. */
  promptState(input: PromptStateInput): Promise<{ state: 'waiting' | 'done' | 'discarded' }>;
}
