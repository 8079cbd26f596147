import { checkAnswers, type QuestionOutcome, type QuestionRequest } from '@everturn/core/domain';
import type { AnswerSignal, RequestedCall } from '../../contract/index.ts';
import { placeOf, type StepState } from './step-state.ts';
import { waitForPerson } from './wait-for-person.ts';

/** Puts a call's questions to a person and waits as long as it takes. */
export async function askQuestions(
  step: StepState,
  call: RequestedCall,
  request: QuestionRequest,
): Promise<QuestionOutcome> {
  const id = `t${step.input.turn}.s${step.input.step}.c${placeOf(step, call)}.questions`;
  const { questions, intent } = request;
  const answer = await waitForPerson(step, {
    id,
    kind: 'question',
    call,
    request: JSON.parse(JSON.stringify({ questions, ...(intent && { intent }) })),
    shown: { kind: 'question', id, call, questions },
    check: (given) => whyNot(id, request, given),
    outcomeOf: (given) => JSON.parse(JSON.stringify(outcomeOf(given))),
  });
  return outcomeOf(answer);
}

function whyNot(id: string, { questions }: QuestionRequest, answer: AnswerSignal['answer']): string | undefined {
  if (answer.kind === 'approval') return `"${id}" is a question: send answers`;
  return answer.kind === 'dismissal' ? undefined : checkAnswers(questions, answer.answers);
}

function outcomeOf(answer: AnswerSignal['answer'] | undefined): QuestionOutcome {
  if (answer?.kind === 'answers') return { kind: 'answered', answers: answer.answers };
  return { kind: answer?.kind === 'dismissal' ? 'dismissed' : 'cancelled' };
}
