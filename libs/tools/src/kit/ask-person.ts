import { assertNever, checkQuestions, type QuestionAnswer, type QuestionRequest } from '@everturn/core/domain';
import type { OrchestrationContext } from './orchestrate-tool.ts';
import { ToolError } from './tool-error.ts';

/**
 * Puts questions to whoever the session works for and waits as long as it takes. Throws the codes `DELEGATED_CALLER`,
 * `BAD_INTENT`, `NO_PROVIDER`, `ASK_ABORTED` (the turn was stopped) and `ASK_CANCELLED` (the person dismissed it).
 */
export async function askPerson(context: OrchestrationContext, request: QuestionRequest): Promise<QuestionAnswer[]> {
  const { ask, delegated = false } = context;
  if (delegated)
    throw new ToolError(
      'DELEGATED_CALLER',
      'you work for another agent and cannot ask a person: put the question into your final result',
    );
  const problem = checkQuestions(request);
  if (problem !== undefined) throw request.intent ? new ToolError('BAD_INTENT', problem) : new Error(problem);
  if (!ask)
    throw new ToolError(
      'NO_PROVIDER',
      'nobody can be asked here: decide yourself, or say in your answer what you need to know',
    );
  const outcome = await ask(request);
  switch (outcome.kind) {
    case 'answered':
      return outcome.answers;
    case 'dismissed':
      throw new ToolError('ASK_CANCELLED', 'the user dismissed the questions without an answer');
    case 'cancelled':
      throw new ToolError('ASK_ABORTED', 'the turn was stopped while the questions waited');
    default:
      return assertNever(outcome);
  }
}
