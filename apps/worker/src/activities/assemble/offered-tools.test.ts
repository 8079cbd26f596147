import { expect, test } from 'vitest';
import type { SessionHeader } from '@everturn/core/domain';
import type { SessionOptions } from '@everturn/core/protocol';
import { catalog } from '@everturn/tools/catalog';
import { DelegationRows } from '@everturn/tools/kit';
import { toolsFor } from './offered-tools.ts';

const providers = new Set(['spawn', 'fork']);
const allowed = { subagentModels: [{ provider: 'a', model: 'one' }] };

function offered(input: { options?: SessionOptions; origin?: 'subagent'; rows?: object[]; providers?: Set<string> }) {
  const facts = {
    header: { ...(input.origin && { origin: input.origin }) } as SessionHeader,
    options: input.options ?? {},
  };
  const rows = DelegationRows.parse(input.rows);
  const tools = toolsFor(facts, catalog, { rows, providers: input.providers ?? providers });
  return new Map(
    tools.map(({ name, toolset = '', parameters }) => [`${toolset}:${name}`, Object.keys(parameters.properties ?? {})]),
  );
}
const plain = ['description', 'prompt', 'run_in_background'];

test('agents have the model of their session, unless that has a policy: then a model may choose, and list', () => {
  const usual = offered({});
  expect([usual.get(':subagent'), usual.has(':list_subagent_models')]).toEqual([plain, false]);
  const choosing = offered({ options: allowed });
  const chosen = [...plain, 'provider', 'model', 'reasoning_effort'];
  for (const tool of [':subagent', ':subagent_fork', 'subagents:subagent']) expect(choosing.get(tool)).toEqual(chosen);
  expect(choosing.has(':list_subagent_models')).toBe(true);
});

test('a row without the choice, without the background, without a provider that is there', () => {
  const rows = [{ provider: 'spawn', toolName: 'subagent', enableRunInBackground: false }];
  const tools = offered({ options: allowed, rows });
  expect([tools.get(':subagent'), tools.has(':subagent_fork')]).toEqual([['description', 'prompt'], false]);
  expect(offered({ providers: new Set(['fork']) }).has(':subagent')).toBe(false);
});

test('what is for sessions of their own is not for agents', () => {
  expect([offered({}).has(':schedule_create'), offered({ origin: 'subagent' }).has(':schedule_create')]).toEqual([
    true,
    false,
  ]);
});
