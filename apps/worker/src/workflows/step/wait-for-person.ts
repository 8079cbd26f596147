import { condition, workflowInfo } from '@temporalio/workflow';
import type { JsonValue } from '@everturn/core/domain';
import type { AnswerSignal, InteractionChange, RequestedCall } from '../../contract/index.ts';
import type { AnswerCheck } from '../shared/answers.ts';
import { publishWaiting } from '../shared/search-attributes.ts';
import { describeStep, type ShownQuestion } from './step-details.ts';
import type { StepState } from './step-state.ts';

type Answer = AnswerSignal['answer'];

export interface WaitForPersonInput {
  id: string;
  kind: InteractionChange['kind'];
  call: RequestedCall;
  /** What is asked, for people. */
  request: JsonValue;
  shown: ShownQuestion;
  /** Why an answer does not fit; such an answer is refused and the question stays open. */
  check: AnswerCheck;
  /** What the row of the question says once it is over. */
  outcomeOf(answer: Answer | undefined): JsonValue;
  /** Runs before the end of the wait is committed, for the event that goes with it. */
  onSettled?(answer: Answer | undefined): void;
}

/** Shows a question, waits as long as it takes, and gives the answer; nothing when the turn was stopped meanwhile. */
export async function waitForPerson(step: StepState, input: WaitForPersonInput): Promise<Answer | undefined> {
  const { id, kind, call, request } = input;
  const { turn, step: number, searchAttributes } = step.input;
  const answerTo = workflowInfo().workflowId;
  const row = { id, kind, turn, step: number, callId: call.callId, answerTo, request };
  step.answers.ask(id, input.check);
  describeStep(step, input.shown);
  step.writer.change({ status: 'waiting', interactions: [{ ...row, state: 'open' }] });
  publishWaiting(searchAttributes, 'waiting');
  await step.writer.flush();
  await condition(() => step.stop.requested || step.answers.answerTo(id) !== undefined);
  const answer = step.answers.answerTo(id);
  step.answers.close(id);
  publishWaiting(searchAttributes, 'running');
  describeStep(step);
  input.onSettled?.(answer);
  const state = answer === undefined ? 'cancelled' : 'answered';
  step.writer.change({
    status: 'running',
    interactions: [{ ...row, state, outcome: input.outcomeOf(answer) }],
    requests: step.answers.takeOutcomes(),
  });
  await step.writer.flush();
  return answer;
}
