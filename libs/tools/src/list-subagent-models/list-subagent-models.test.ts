import type { ModelRoute } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import type { ToolRunContext } from '../kit/index.ts';
import { executeListSubagentModels } from './execute.ts';

const routes = [
  { provider: 'a', model: 'one' },
  { provider: 'a', model: 'unlisted' },
  { provider: 'gone', model: 'x' },
];
const withC = [...routes, { provider: 'c', model: 'three' }];

/** What the tool says under a policy, where providers `a` and `c` are registered and `a` advertises one model. */
async function list(args: object, allowed: ModelRoute[] | undefined = routes) {
  const models = {
    allowed: async () => allowed,
    providers: () => [
      { id: 'a', name: 'Alpha' },
      { id: 'c', name: 'Gamma' },
    ],
    advertised: async () => [{ provider: 'a', id: 'one', name: 'One', description: 'the first' }],
    efforts: (provider: string) => (provider === 'a' ? (['low', 'high'] as const) : []),
  };
  // All the body looks at.
  const context = { models } as unknown as ToolRunContext;
  const { content } = await executeListSubagentModels.execute(args, context);
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

test.each([
  [{}, 'a — Alpha'],
  [{ provider: 'a' }, 'a/one — One: the first\na/unlisted — unlisted'],
  [{ provider: 'a', model: 'one' }, 'a/one — One: the first\nReasoning efforts:\nlow — Low\nhigh — High'],
  [{ provider: 'c', model: 'three' }, 'c/three — three\n(no advertised reasoning efforts for three)'],
])('%j', async (args, text) => expect(await list(args, text.startsWith('c') ? withC : routes)).toBe(text));

test('nobody registered of those that are allowed', async () =>
  expect(await list({}, [{ provider: 'gone', model: 'x' }])).toBe('(no LLM providers)'));

test.each([
  [{ model: 'one' }, 'model is given together with provider'],
  [{ provider: '' }, 'invalid provider'],
  [{ provider: 'a', model: ' ' }, 'invalid model'],
  [{ provider: 'c' }, 'provider "c" is not allowed in this session; allowed: a, gone'],
  [{ provider: 'gone' }, 'provider "gone" is not registered; registered: a, c'],
  [{ provider: 'a', model: 'two' }, 'model "two" of provider "a" is not allowed'],
])('%j is refused', async (args, message) => expect(list(args)).rejects.toThrow(message));

test('a session without a policy has nothing to choose from', async () =>
  expect(executeListSubagentModels.execute({}, {} as ToolRunContext)).rejects.toThrow('no policy'));
