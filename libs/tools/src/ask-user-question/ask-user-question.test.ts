import type { QuestionOutcome, QuestionRequest, SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { ToolSettings, type OrchestrationContext } from '../kit/index.ts';
import { orchestrations } from '../workflow.ts';

const color = { id: 'color', question: 'Which?', options: [{ label: 'red' }, { label: 'blue' }] };

/** Asks a person who answers as told, and shows what they were asked. */
async function asking(args: unknown, outcome?: QuestionOutcome, more: Partial<OrchestrationContext> = {}) {
  const asked: QuestionRequest[] = [];
  const context: OrchestrationContext = {
    initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
    now: 0,
    settings: ToolSettings.parse({}),
    ...(outcome && { ask: async (request) => (asked.push(request), outcome) }),
    ...more,
  };
  const { result, events } = await orchestrations.get('ask_user_question')!.orchestrate(args, context);
  return { result, events, asked };
}

test('the answers come back as JSON, and no event of its own', async () => {
  const answers = [{ id: 'color', selected: ['red'] }];
  expect(await asking({ questions: [color] }, { kind: 'answered', answers })).toEqual({
    result: { content: [{ type: 'text', text: '{"answers":[{"id":"color","selected":["red"]}]}' }], isError: false },
    events: [],
    asked: [{ questions: [color] }],
  });
});

test.each<[string, unknown, QuestionOutcome | undefined, Partial<OrchestrationContext>, string, string?]>([
  [
    'no questions',
    { questions: [] },
    { kind: 'dismissed' },
    {},
    'questions must hold at least one question',
    'EMPTY_QUESTIONS',
  ],
  [
    'a question twice',
    { questions: [color, color] },
    { kind: 'dismissed' },
    {},
    'questions[1].id "color" occurs twice',
  ],
  [
    'a dismissal',
    { questions: [color] },
    { kind: 'dismissed' },
    {},
    'the user dismissed the questions without an answer',
    'ASK_CANCELLED',
  ],
  [
    'a stop',
    { questions: [color] },
    { kind: 'cancelled' },
    {},
    'the turn was stopped while the questions waited',
    'ASK_ABORTED',
  ],
  [
    'nobody to ask',
    { questions: [color] },
    undefined,
    {},
    expect.stringContaining('nobody can be asked here'),
    'NO_PROVIDER',
  ],
  [
    'an agent that works for another',
    { questions: [color] },
    { kind: 'dismissed' },
    { delegated: true },
    expect.stringContaining('put the question into your final result'),
    'DELEGATED_CALLER',
  ],
])('an error result: %s', async (_name, args, outcome, more, message, code) => {
  const { result } = await asking(args, outcome, more);
  const shown = typeof message === 'string' ? `Error: ${message}` : message;
  expect(result).toEqual({
    content: [{ type: 'text', text: shown }],
    isError: true,
    ...(code && { error: { name: 'AskError', code } }),
  });
});
