import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { workerConfig } from '@everturn/core/config';
import { toolSettings } from './tool-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'everturn-agents-'));
afterAll(() => rmSync(folder, { recursive: true }));

const config = (more: Record<string, string> = {}) =>
  workerConfig({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d', TEMPORAL_ADDRESS: 'a:1', ...more });
const agents = (content: unknown, more: Record<string, string> = {}) => {
  const path = join(folder, 'agents.json');
  writeFileSync(path, JSON.stringify(content));
  return toolSettings(config({ EVERTURN_AGENTS_FILE: path, ...more }));
};
const row = { provider: 'spawn', toolName: 'subagent' };

test('a file says which tools delegate and how, and the limits of teams, scripts and loops', () => {
  const own = { ...row, backgroundMode: 'continuable', maxDepth: 1, persona: 'p' };
  const settings = agents({
    delegation: [own],
    team: { maxMembers: 3 },
    workflow: { maxTotalAgents: 20, maxConcurrentAgents: 2 },
    ralph: { defaultRounds: 5 },
  });
  expect(settings.delegation).toEqual([{ ...own, modelSelection: false, enableRunInBackground: true }]);
  expect([settings.team, settings.workflow, settings.ralph]).toMatchObject([
    { maxMembers: 3, maxTasks: 256 },
    { maxTotalAgents: 20, maxConcurrentAgents: 2 },
    { defaultRounds: 5, maxRounds: 256 },
  ]);
  const both = agents({ workflow: { maxConcurrentAgents: 2 } }, { EVERTURN_WORKFLOW_AGENTS: '7' });
  expect(both.workflow.maxConcurrentAgents).toBe(7);
});

test('without one there are the usual two; in the foreground where a deployment has no background', () => {
  expect(toolSettings(config()).delegation.map(({ toolName, provider }) => [toolName, provider])).toEqual([
    ['subagent', 'spawn'],
    ['subagent_fork', 'fork'],
  ]);
  const { delegation } = agents({ delegation: [row] }, { EVERTURN_RUN_IN_BACKGROUND: 'off' });
  expect(delegation).toMatchObject([{ toolName: 'subagent', enableRunInBackground: false }]);
});

test.each([
  ['a name twice', { delegation: [row, row] }, 'each toolName once'],
  [
    'a tool that does not delegate',
    { delegation: [{ ...row, toolName: 'bash' }] },
    '"bash": the tools that delegate are',
  ],
  ['no provider', { delegation: [{ toolName: 'subagent' }] }, 'delegation[0].provider'],
  ['a filter of nothing', { delegation: [{ ...row, toolFilter: {} }] }, 'delegation[0].toolFilter'],
  ['a limit of nobody', { team: { maxMembers: 0 } }, 'team.maxMembers'],
  ['a member nobody knows', { team: { most: 1 } }, '"most"'],
  ['a section nobody knows', { teams: {} }, '"teams"'],
])('refused with the name of the file and the field: %s', (_what, content, why) => {
  expect(() => agents(content)).toThrow(/^EVERTURN_AGENTS_FILE is wrong: .*agents\.json/);
  expect(() => agents(content)).toThrow(why);
});
