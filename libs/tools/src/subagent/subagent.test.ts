import type { SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import {
  DelegationRows,
  ToolSettings,
  type ChildrenPort,
  type DelegateRequest,
  type OrchestrationContext,
} from '../kit/index.ts';
import { orchestrations } from '../workflow.ts';

const done = { kind: 'done' } as const;
const children: ChildrenPort = {
  run: async () => ({ content: [], isError: false }),
  background: async () => ({ ...done, job: 'subagent-1' }),
  start: async () => ({ ...done, child: 'sub-1' }),
  send: async () => done,
  interrupt: async () => done,
  list: async () => [],
};

/** Calls a tool that delegates, where children say `done`, and shows what they were given. */
async function delegating(args: unknown, delegation: object[] = [{ provider: 'spawn', toolName: 'subagent' }]) {
  const asked: DelegateRequest[] = [];
  const context: OrchestrationContext = {
    initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
    now: 0,
    settings: ToolSettings.parse({ delegation }),
    children: {
      ...children,
      run: async (request) => (asked.push(request), { content: [{ type: 'text', text: 'done' }], isError: false }),
    },
  };
  const { result } = await orchestrations.get('subagent')!.orchestrate(args, context);
  return { text: JSON.stringify(result.content), isError: result.isError, asked };
}

const task = { description: ' Look at it ', prompt: 'all of it' };

test('the child gets the task, and what it says last is the result', async () => {
  const { text, isError, asked } = await delegating(task);
  expect([text, isError]).toEqual(['[{"type":"text","text":"done"}]', false]);
  expect(asked).toMatchObject([{ label: 'Look at it', prompt: 'all of it', row: { maxDepth: 3, provider: 'spawn' } }]);
});

test('in the background it is a job, whose id is told at once', async () => {
  const { text, asked } = await delegating({ ...task, run_in_background: true });
  expect([text, asked]).toEqual(['[{"type":"text","text":"started background subagent job subagent-1"}]', []]);
});

test('what is asked of the model goes with the task, and nothing where nothing is', async () => {
  const { asked } = await delegating({ ...task, provider: 'p', model: 'm', reasoning_effort: 'low' });
  expect(asked[0]?.wish).toEqual({ provider: 'p', model: 'm', reasoningEffort: 'low' });
  expect((await delegating(task)).asked[0]).not.toHaveProperty('wish');
});

test.each([
  ['a blank prompt', { ...task, prompt: ' ' }, undefined, 'invalid prompt'],
  ['no description', { prompt: 'x' }, undefined, 'missing required property \\"description\\"'],
  [
    'the background where it is off',
    { ...task, run_in_background: true },
    [{ provider: 'spawn', toolName: 'subagent', enableRunInBackground: false }],
    'run_in_background is disabled',
  ],
  ['a model that is no text', { ...task, provider: 7 }, undefined, 'invalid provider'],
  ['a tool without a row', task, [], 'does not offer subagent'],
])('refused, and nothing is started: %s', async (_name, args, rows, message) => {
  const { text, isError, asked } = await delegating(args, rows);
  expect([isError, asked]).toEqual([true, []]);
  expect(text).toContain(message);
});

test.each([
  [
    'a name twice',
    [
      { provider: 'spawn', toolName: 'a' },
      { provider: 'fork', toolName: 'a' },
    ],
  ],
  ['a filter of nothing', [{ provider: 'spawn', toolName: 'a', toolFilter: {} }]],
  ['no provider', [{ toolName: 'a' }]],
  ['a limit of no tokens', [{ provider: 'spawn', toolName: 'a', agentOptions: { maxTokens: 0 } }]],
])('rows with %s are refused', (_name, rows) => expect(DelegationRows.safeParse(rows).success).toBe(false));
