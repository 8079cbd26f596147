import type { SessionId } from '@everturn/core/domain';
import type { SubmitPrompt } from '@everturn/core/protocol';

/** Whether a session took a message. */
export type Handed = { kind: 'taken' } | { kind: 'gone' } | { kind: 'refused'; code: string; message: string };

/** Brings messages to sessions' workflows and hears what became of them; throws when Temporal cannot be reached. */
export interface Courier {
  submit(session: SessionId, prompt: SubmitPrompt): Promise<Handed>;
  /** How the last run of a session's workflow ended, where it was ended from outside; its id too, or nothing. */
  endedFromOutside(session: SessionId): Promise<{ runId: string; status: string } | undefined>;
}
