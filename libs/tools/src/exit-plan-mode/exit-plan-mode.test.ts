import type { QuestionOutcome, QuestionRequest, SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { PLAN_APPROVED, ToolSettings, type OrchestrationContext } from '../kit/index.ts';
import { orchestrations } from '../workflow.ts';

const PLAN = '  # Rename it\n\n1. rename\n';

/** Presents a plan to a person who answers as told. */
async function present(plan: unknown, outcome?: QuestionOutcome, more: Partial<OrchestrationContext> = {}) {
  const asked: QuestionRequest[] = [];
  const context: OrchestrationContext = {
    initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
    now: 0,
    settings: ToolSettings.parse({}),
    planning: true,
    ...(outcome && { ask: async (request) => (asked.push(request), outcome) }),
    ...more,
  };
  const { result, events } = await orchestrations.get('exit_plan_mode')!.orchestrate({ plan }, context);
  return { result, events, asked };
}

const answered = (selected: string[], custom?: string): QuestionOutcome => ({
  kind: 'answered',
  answers: [{ id: 'plan-review', selected, ...(custom !== undefined && { custom }) }],
});

test('an approval is said, marked for whoever ends plan mode, and the plan was shown with the question', async () => {
  const { result, events, asked } = await present(PLAN, answered(['Approve']));
  expect(result).toEqual({
    content: [{ type: 'text', text: expect.stringContaining('approved the plan') }],
    isError: false,
    meta: PLAN_APPROVED,
  });
  expect(events).toEqual([]);
  expect(asked).toEqual([
    {
      questions: [
        expect.objectContaining({
          id: 'plan-review',
          options: [expect.objectContaining({ label: 'Approve' }), expect.objectContaining({ label: 'Keep planning' })],
        }),
      ],
      intent: { kind: 'plan-review', detail: PLAN.trim(), approve: 'Approve' },
    },
  ]);
});

test.each<[string, unknown, QuestionOutcome | undefined, Partial<OrchestrationContext>, string | RegExp, number]>([
  [
    'not in plan mode',
    PLAN,
    answered(['Approve']),
    { planning: false },
    'exit_plan_mode is only available in plan mode',
    0,
  ],
  ['no heading', '1. rename', answered(['Approve']), {}, /must begin with a heading/, 0],
  ['an empty heading', '#   \n', answered(['Approve']), {}, /must begin with a heading/, 0],
  ['keep planning', PLAN, answered(['Keep planning']), {}, /wants you to keep planning/, 1],
  ['feedback, word for word', PLAN, answered([], 'tests  first'), {}, 'tests  first', 1],
  ['a dismissal', PLAN, { kind: 'dismissed' }, {}, /takes the turn back/, 1],
  ['a delegated agent', PLAN, answered(['Approve']), { delegated: true }, /switch plan mode off themselves/, 0],
  ['nobody to ask', PLAN, undefined, {}, /switch plan mode off themselves/, 0],
  ['a stop', PLAN, { kind: 'cancelled' }, {}, 'the turn was stopped while the questions waited', 1],
])('an error result: %s', async (_what, plan, outcome, more, message, questions) => {
  const { result, asked } = await present(plan, outcome, more);
  expect(result.isError).toBe(true);
  expect(result.meta).toBeUndefined();
  const [block] = result.content as { text: string }[];
  expect(block?.text).toEqual(typeof message === 'string' ? `Error: ${message}` : expect.stringMatching(message));
  expect(asked).toHaveLength(questions);
});
