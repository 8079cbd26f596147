import { expect, test } from 'vitest';
import type { LlmRegistry } from '@everturn/core/providers';
import type { PrepareChildInput } from '../../contract/index.ts';
import { agentOptions, refuseModel } from './child-model.ts';

const llm = { providers: () => [{ id: 'a', name: 'A' }] } as unknown as LlmRegistry;
const row = { modelSelection: true, agentOptions: { model: 'usual', reasoningEffort: 'low', maxTokens: 5 } };
const input = (asked: object) =>
  ({ row, config: { provider: 'a', model: 'mine' }, ...asked }) as unknown as PrepareChildInput;
const refuse = (asked: object, options: object = { subagentModels: [{ provider: 'a', model: 'one' }] }) =>
  refuseModel({ llm }, input(asked), { options });

test.each<[string, object, object | undefined, string | undefined]>([
  ['nothing asked for', {}, undefined, undefined],
  ['a route of the policy', { wish: { provider: 'a', model: 'one' } }, undefined, undefined],
  ['one outside of it', { wish: { provider: 'a', model: 'x' } }, undefined, 'is not allowed'],
  ['any, in a session without one', { wish: { provider: 'a', model: 'one' } }, {}, 'disabled'],
  ['a script with a provider nobody is', { route: { provider: 'z' } }, {}, '"z" is not registered; registered: a'],
  ['a script with a model, in a session without a policy', { route: { model: 'x' } }, {}, undefined],
  ['a script with a model outside the policy', { route: { model: 'x' } }, undefined, 'is not allowed'],
])('%s', (_name, asked, options, message) => {
  const refused = refuse(asked, options);
  if (message === undefined) expect(refused).toBeUndefined();
  else expect(refused).toContain(message);
});

test("another route has not the effort of the row's, unless it is asked for", () => {
  expect(agentOptions(input({}))).toEqual({ model: 'usual', reasoningEffort: 'low', maxTokens: 5 });
  expect(agentOptions(input({ wish: { provider: 'a', model: 'one' } }))).toEqual({
    provider: 'a',
    model: 'one',
    reasoningEffort: undefined,
    maxTokens: 5,
  });
  expect(agentOptions(input({ wish: { reasoningEffort: 'high' } }))).toMatchObject({
    model: 'usual',
    reasoningEffort: 'high',
  });
});
