import type { SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { ToolSettings, type OrchestrationContext, type RunProgramRequest } from '../kit/index.ts';
import { orchestrations } from '../workflow.ts';

async function running(args: object, more: Partial<OrchestrationContext> = {}) {
  const asked: RunProgramRequest[] = [];
  const context: OrchestrationContext = {
    initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
    now: 0,
    settings: ToolSettings.parse({}),
    program: {
      run: async (request) => (asked.push(request), { content: [{ type: 'text', text: 'ran' }], isError: false }),
    },
    ...more,
  };
  const { result } = await orchestrations
    .get('run_code')!
    .orchestrate({ code: 'return 1', description: 'One', ...args }, context);
  return { text: (result.content as { text: string }[])[0]?.text, asked };
}

test.each([
  [{}, 120_000],
  [{ timeoutMs: 5 }, 5],
  [{ timeoutMs: 1e9 }, 600_000],
])('%j gives it %d ms', async (args, timeoutMs) => {
  const { text, asked } = await running(args);
  expect([text, asked]).toEqual(['ran', [{ kind: 'run_code', code: 'return 1', timeoutMs }]]);
});

test.each([
  [{ description: ' ' }, 'Error: invalid description: expected a non-empty string'],
  [{ timeoutMs: 0 }, 'Error: invalid timeoutMs: expected a positive finite number'],
  [{ timeoutMs: -5 }, 'Error: invalid timeoutMs: expected a positive finite number'],
  [{ code: 7 }, 'Error: invalid arguments: "code" must be a string'],
  [
    { sandbox_permissions: 'danger-full-access', justification: 'why' },
    'Error: sandbox_permissions was not granted for this call, so nothing was run',
  ],
])('%j runs nothing', async (args, message) => {
  expect(await running(args)).toEqual({ text: message, asked: [] });
});

test('a grant covers the run; a program has no programs', async () => {
  const pair = { sandbox_permissions: 'workspace-write', justification: 'why' };
  expect((await running(pair, { granted: 'workspace-write' })).text).toBe('ran');
  const { program: _none, ...without } = { program: undefined };
  const { text } = await running({}, { ...without, program: undefined as never });
  expect(text).toBe('Error: run_code cannot be called by a program');
});
