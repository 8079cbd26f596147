import type { SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import {
  failedWorkflow,
  ToolSettings,
  workflowResult,
  type ChildrenPort,
  type OrchestrationContext,
  type RunProgramRequest,
} from '../kit/index.ts';
import { orchestrateWorkflow } from './orchestrate.ts';

const meta = { name: 'sweep', description: 'Looks everywhere.' };

/** Calls the tool and shows what program it asked for. */
async function call(args: object, more: Partial<OrchestrationContext> = {}) {
  const asked: RunProgramRequest[] = [];
  const context: OrchestrationContext = {
    initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
    now: 0,
    settings: ToolSettings.parse({}),
    children: {} as ChildrenPort, // its members are the program's business
    program: { run: async (request) => (asked.push(request), { content: [], isError: false }) },
    ...more,
  };
  const { result } = await orchestrateWorkflow.orchestrate(args, context);
  return { text: JSON.stringify(result.content), asked };
}

test('a script is run with its name, its arguments and agents of the usual kind', async () => {
  const { asked } = await call({ script: 'return args', meta, args: { a: 1 } });
  expect(asked).toMatchObject([
    {
      kind: 'workflow',
      code: 'return args',
      script: { name: 'sweep', args: { a: 1 }, row: { provider: 'spawn', backgroundMode: 'one-shot', maxDepth: 3 } },
    },
  ]);
});

test.each<[string, object, string]>([
  [
    'everything that is wrong with its description',
    { script: '', meta: { name: ' ', description: 'x', more: 1, phases: [{ title: 'a', x: 1 }, { title: '' }] } },
    'META_INVALID: meta.more is not known; meta.name must not be blank; meta.phases[0].x is not known; meta.phases[1].title must not be blank',
  ],
  [
    'a description that stands in the script',
    { script: ' export const meta = {}; return 1', meta },
    'SCRIPT_PARSE: the script is a body without exports',
  ],
  ['no description', { script: 'return 1' }, 'missing required property \\"meta\\"'],
])('refused before anything runs: %s', async (_name, args, message) => {
  const { text, asked } = await call(args);
  expect(asked).toEqual([]);
  expect(text).toContain(message);
});

test('without whoever runs programs there is no script', async () => {
  const { program: _none, ...without } = { program: undefined };
  const { text } = await call({ script: 'return 1', meta }, { ...without, program: undefined as never });
  expect(text).toContain('no program can be run');
});

const result = (json: string | undefined, agents: number, maxResultChars = 100) =>
  workflowResult({
    end: { kind: 'returned', ...(json !== undefined && { json }) },
    name: 'sweep',
    agents,
    maxResultChars,
  }).content;
const said = (value: string) => [{ type: 'text', text: value }];

test('what a script returned is told in full up to its limit', () => {
  expect(result('{"a":[1]}', 2)).toEqual(
    said('workflow "sweep" completed (2 agents).\nReturn value:\n{\n  "a": [\n    1\n  ]\n}'),
  );
  expect(result(undefined, 1)).toEqual(said('workflow "sweep" completed (1 agent).\nReturn value:\nnull'));
  expect(result('"123456789"', 0, 5)).toEqual(
    said('workflow "sweep" completed (0 agents).\nReturn value:\n"1234… [truncated: 6 more characters]'),
  );
});

test.each([
  ['exception', 'AGENT_CAP: x', 'Error: workflow run failed: AGENT_CAP: x', 'WORKFLOW_FAILED'],
  ['exception', 'SyntaxError: x', 'Error: workflow run failed: SCRIPT_PARSE: SyntaxError: x', 'WORKFLOW_FAILED'],
  ['invalid-output', 'x', 'Error: workflow run failed: RESULT_UNSERIALIZABLE: x', 'WORKFLOW_FAILED'],
  ['timeout', 'no rest', 'Error: workflow run failed: no rest', 'WORKFLOW_FAILED'],
  ['abort', 'the run was cancelled', 'Error: workflow run cancelled: the run was cancelled', 'WORKFLOW_CANCELLED'],
] as const)('a script that ended by %s (%s)', (failure, message, told, code) => {
  const { content, error } = failedWorkflow({ kind: 'failed', failure, message });
  expect([content, error?.code]).toEqual([said(told), code]);
});
