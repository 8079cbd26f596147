import { goalError, type GoalReply, type GoalToolRequest, type SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { ToolSettings, type OrchestrationContext } from '../kit/index.ts';
import { orchestrations } from '../workflow.ts';

const none: GoalReply = { kind: 'goal', view: { goal: null } };

/** Calls a tool of goals, whose session answers so; what it asked the session for, and its result. */
async function call(name: string, args: object, reply: GoalReply | 'stopped' | 'nobody' = none, coded = true) {
  const asked: GoalToolRequest[] = [];
  const context: OrchestrationContext = {
    initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
    now: 0,
    settings: ToolSettings.parse({}),
    ...(reply !== 'nobody' && {
      goal: {
        ask: async (request) => (asked.push(request), reply === 'stopped' ? undefined : reply),
        coded: () => coded,
      },
    }),
  };
  const { events, result } = await orchestrations.get(name)!.orchestrate(args, context);
  const [block] = result.content as { text: string }[];
  const { additionalContexts, error } = result;
  return { events, asked, text: block?.text, isError: result.isError, error, additionalContexts };
}

const update = { goal_id: 'goal-1', revision: 2, action: 'complete' };

test.each<[string, object, GoalToolRequest]>([
  ['get_goal', {}, { tool: 'get' }],
  ['create_goal', { objective: 'o' }, { tool: 'create', objective: 'o' }],
  ['create_goal', { objective: 'o', max_goal_rounds: 0 }, { tool: 'create', objective: 'o' }],
  ['create_goal', { objective: 'o', max_goal_rounds: 3 }, { tool: 'create', objective: 'o', maxGoalRounds: 3 }],
  ['update_goal', update, { tool: 'update', id: 'goal-1', revision: 2, action: 'complete' }],
  [
    'update_goal',
    { ...update, objective: '', max_goal_rounds: 0, blocked_reason: '' },
    { tool: 'update', id: 'goal-1', revision: 2, action: 'complete' },
  ],
  [
    'update_goal',
    { ...update, action: 'blocked', blocked_reason: 'no key' },
    { tool: 'update', id: 'goal-1', revision: 2, action: 'blocked', blockedReason: 'no key' },
  ],
])('%s of %j asks its session, filler left out', async (name, args, request) => {
  const { asked, text, isError, events } = await call(name, args);
  expect({ asked, text, isError, events }).toEqual({
    asked: [request],
    text: '{"goal":null}',
    isError: false,
    events: [],
  });
});

test('a refusal says its code, in its words and by itself; so does a call that no session serves', async () => {
  const refusal: GoalReply = { kind: 'goal-refused', error: goalError('GOAL_STALE_REVISION', 'read it again') };
  const shown = { text: 'Error: GOAL_STALE_REVISION: read it again', isError: true };
  expect(await call('update_goal', update, refusal)).toMatchObject({
    ...shown,
    error: { name: 'GoalError', code: 'GOAL_STALE_REVISION' },
  });
  expect((await call('update_goal', update, refusal, false)).error).toBeUndefined();
  expect(await call('get_goal', {}, 'nobody')).toMatchObject({
    text: 'Error: GOAL_TOOL_AGENT_REQUIRED: no session serves this call',
    error: { code: 'GOAL_TOOL_AGENT_REQUIRED' },
  });
  expect((await call('get_goal', {}, 'stopped')).text).toContain('read the goal');
});

test.each([
  ['complete', '<goal_complete>'],
  ['blocked', '<goal_blocked>'],
])('a round that reports %s is asked for one closing message; a person is not', async (action, mark) => {
  const args = { ...update, action, ...(action === 'blocked' && { blocked_reason: 'no key' }) };
  const { additionalContexts } = await call('update_goal', args, { ...none, by: 'round' });
  expect(JSON.stringify(additionalContexts)).toContain(mark);
  expect((await call('update_goal', args, { ...none, by: 'person' })).additionalContexts).toBeUndefined();
});
