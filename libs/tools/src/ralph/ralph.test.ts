import type { SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { ToolSettings, type OrchestrationContext, type RalphRequest } from '../kit/index.ts';
import { orchestrations } from '../workflow.ts';

async function looping(args: object, settings: object = {}, more: Partial<OrchestrationContext> = {}) {
  const asked: RalphRequest[] = [];
  const context: OrchestrationContext = {
    initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
    now: 0,
    settings: ToolSettings.parse({ ralph: settings }),
    ralph: {
      run: async (request) => (asked.push(request), { content: [{ type: 'text', text: 'over' }], isError: false }),
    },
    ...more,
  };
  const { result } = await orchestrations.get('ralph')!.orchestrate(args, context);
  return { text: (result.content as { text: string }[])[0]?.text, asked };
}

test.each([
  [{ objective: ' ship it ' }, {}, 64],
  [{ objective: 'ship it', maxRounds: 256 }, {}, 256],
  [{ objective: 'ship it', maxRounds: 1 }, {}, 1],
  [{ objective: 'ship it' }, { maxRounds: 5 }, 5],
])('%j of %j runs at most %d rounds', async (args, settings, maxRounds) => {
  const { text, asked } = await looping(args, settings);
  expect(text).toBe('over');
  expect(asked).toMatchObject([
    {
      objective: 'ship it',
      maxRounds,
      row: { provider: 'spawn', maxDepth: 3 },
      maxHandoffChars: 16_384,
      maxResultChars: 16_384,
    },
  ]);
});

test.each([
  [{ objective: ' \n' }, 'Error: invalid objective: expected a non-empty string'],
  [{ objective: 7 }, 'Error: invalid arguments: "objective" must be a string'],
  [{ objective: 'o', maxRounds: 0 }, 'Error: invalid maxRounds: expected a whole number from 1 to 256'],
  [{ objective: 'o', maxRounds: 257 }, 'Error: invalid maxRounds: expected a whole number from 1 to 256'],
  [{ objective: 'o', maxRounds: 1.5 }, 'Error: invalid maxRounds: expected a whole number from 1 to 256'],
  [{ objective: 'o', maxRounds: 2 ** 53 }, 'Error: invalid maxRounds: expected a whole number from 1 to 256'],
  [{}, 'Error: invalid arguments: missing required property "objective"'],
])('%j runs nothing', async (args, message) => expect(await looping(args)).toEqual({ text: message, asked: [] }));

test('the deployment says how many rounds there may be, who makes agents, and how much is told', async () => {
  const settings = { maxRounds: 9, subagentProvider: 'other', maxHandoffChars: 10, maxResultChars: 20 };
  expect((await looping({ objective: 'o', maxRounds: 10 }, settings)).text).toContain('from 1 to 9');
  const { asked } = await looping({ objective: 'o', maxRounds: 9 }, settings);
  expect(asked).toMatchObject([{ row: { provider: 'other' }, maxHandoffChars: 10, maxResultChars: 20 }]);
});
