import {
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { sessionWorkflowId, type AskSession, type SessionReply } from '@everturn/core/protocol';
import type { ReminderReply } from '@everturn/core/domain';
import type { GoalPort, RemindersPort } from '@everturn/tools/kit';
import type { RequestedCall } from '../../contract/index.ts';
import { resolveTime } from '../proxies.ts';
import { placeOf, type StepState } from './step-state.ts';

/** What the session answered to calls that asked it. */
export class SessionReplies {
  readonly #replies = new Map<string, SessionReply['reply']>();

  /** Takes over what the steps before in the same workflow listened to. */
  constructor() {
    setHandler(defineSignal<[SessionReply]>('sessionReply'), ({ id, reply }) => void this.#replies.set(id, reply));
  }

  of(id: string): SessionReply['reply'] | undefined {
    return this.#replies.get(id);
  }
}

/** The session's reminders as one call of a step may use them. */
export function remindersOf(step: StepState, call: RequestedCall): RemindersPort {
  return {
    async ask(request) {
      // A session answers what it was asked.
      return (await askSession(step, call, { about: 'reminders', request })) as ReminderReply | undefined;
    },
    resolve: async (local) => (await resolveTime(local)).at,
  };
}

/** The session's goal as one call of a step may use it. */
export function goalOf(step: StepState, call: RequestedCall): GoalPort {
  return {
    async ask(request) {
      const spoken = step.input.spoken === true;
      const reply = await askSession(step, call, { about: 'goal', request, spoken });
      return reply?.kind === 'goal' || reply?.kind === 'goal-refused' ? reply : undefined;
    },
    // A step that was there before must write the result it had written.
    coded: () => patched('goal-error-codes'),
  };
}

/** Asks the session, which alone changes what all its turns share; `undefined` when nobody knows whether it did. */
async function askSession(
  step: StepState,
  call: RequestedCall,
  question: AskSession['question'],
): Promise<SessionReply['reply'] | undefined> {
  const { session, turn, step: number } = step.input;
  await step.writer.flush(); // the call is in the log before anything is done
  const id = `t${turn}.s${number}.c${placeOf(step, call)}`;
  const { workflowId: replyTo } = workflowInfo();
  await getExternalWorkflowHandle(sessionWorkflowId(session)).signal<[AskSession]>('ask', { id, replyTo, question });
  await condition(() => step.replies.of(id) !== undefined || step.stop.requested);
  return step.replies.of(id);
}
