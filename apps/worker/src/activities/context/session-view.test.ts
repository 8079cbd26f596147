import { expect, test } from 'vitest';
import { ToolSettings } from '@everturn/tools/kit';
import { choiceOf } from './session-view.ts';

const row = { provider: 'spawn', toolName: 'subagent' };
const fork = { provider: 'fork', toolName: 'subagent_fork' };
const stays = { backgroundMode: 'continuable' };

function chosen(delegation: object[] | undefined, toolsets?: string[]) {
  const settings = ToolSettings.parse({ delegation });
  const options = { ...(toolsets && { toolsets }) };
  const { toolsets: sets, except } = choiceOf(options, { settings, toolsets: ['lsp'], toolsMode: 'native' });
  return [sets, except?.tools];
}

test('sessions have the sets they choose, else those of the deployment', () => {
  expect([chosen(undefined), chosen(undefined, ['terminal'])]).toEqual([
    [['lsp'], undefined],
    [['terminal'], undefined],
  ]);
});

test('where the agents of a tool stay, what that takes is there; other tools keep to their one task', () => {
  expect(chosen([{ ...row, ...stays }, fork])).toEqual([['lsp', 'subagents'], ['subagent_fork']]);
  const both = [row, fork].map((each) => ({ ...each, ...stays }));
  expect(chosen(both, [])).toEqual([['subagents'], []]);
  // Whoever chooses the set has the agents of all tools stay.
  expect(chosen([{ ...row, ...stays }, fork], ['subagents'])).toEqual([['subagents'], undefined]);
});
