import { PLAN_REVIEW, reviewOf, text, type QuestionRequest } from '@everturn/core/domain';
import { askPerson, isToolError, orchestrateTool, PLAN_APPROVED, type OrchestrationContext } from '../kit/index.ts';
import { exitPlanMode } from './schema.ts';

/** The person's word: approved, or an error that says what to do instead. Its caller ends plan mode. */
export const orchestrateExitPlanMode = orchestrateTool(exitPlanMode, async ({ plan: given }, context) => {
  const plan = given.trim();
  if (!context.initiator || !context.planning) throw new Error('exit_plan_mode is only available in plan mode');
  if (!/^#\s+\S/.test(plan))
    throw new Error('the plan must begin with a heading: start it with "# " and a title, and present it again');
  const review = reviewOf(await ask(context, plan));
  if (review.kind === 'keep') throw new Error(review.feedback ?? KEEP_PLANNING);
  return {
    events: [],
    output: { content: [text(APPROVED)], meta: PLAN_APPROVED },
  };
});

const APPROVED =
  'The user approved the plan, and plan mode ends with this step. Carry the plan out from the next step on.';
const KEEP_PLANNING = 'The user wants you to keep planning. Improve the plan, or ask what is missing, then present it.';

async function ask(context: OrchestrationContext, plan: string) {
  try {
    return await askPerson(context, requestFor(plan));
  } catch (error) {
    throw isToolError(error) ? inOtherWords(error.code, error) : error;
  }
}

function inOtherWords(code: string, error: Error): Error {
  switch (code) {
    case 'ASK_CANCELLED':
      return new Error(
        'The user closed the review without an answer and takes the turn back. Plan mode stays on: end your turn and wait for them.',
      );
    case 'NO_PROVIDER':
    case 'DELEGATED_CALLER':
      return new Error(
        'Nobody can review the plan here. Put it into your answer and ask the user to switch plan mode off themselves.',
      );
    default:
      return error;
  }
}

const requestFor = (plan: string): QuestionRequest => ({
  questions: [
    {
      id: PLAN_REVIEW.id,
      question: 'Shall this plan be carried out?',
      header: 'Plan',
      options: [
        { label: PLAN_REVIEW.approve, description: 'Plan mode ends, and the plan is carried out.' },
        { label: PLAN_REVIEW.keep, description: 'Nothing is carried out yet; say in your own words what to change.' },
      ],
    },
  ],
  intent: { kind: 'plan-review', detail: plan, approve: PLAN_REVIEW.approve },
});
