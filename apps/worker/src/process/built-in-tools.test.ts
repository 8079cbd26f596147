import { expect, test } from 'vitest';
import { workerConfig } from '@everturn/core/config';
import { toolKey } from '@everturn/tools/catalog';
import { announcementsOf, asksForBackground } from '@everturn/tools/kit';
import { builtInTools } from './built-in-tools.ts';

const offered = (env: Record<string, string>) => {
  const config = workerConfig({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d', TEMPORAL_ADDRESS: 'a:1', ...env });
  return builtInTools(config).map(({ definition }) => definition);
};

test('tools of the web are left out where a deployment has none', () => {
  expect(offered({}).map(({ name }) => name)).toEqual(expect.arrayContaining(['bash', 'web_fetch', 'web_search']));
  const names = offered({ EVERTURN_WEB_FETCH: 'off', EVERTURN_WEB_SEARCH: 'off' }).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('web_'))).toEqual([]);
});

test('what a search asks a model is told by who would ask it', () => {
  const config = workerConfig({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d', TEMPORAL_ADDRESS: 'a:1' });
  const request = { endpoint: 'http://x/messages', apiVersion: '1', body: {} };
  const searches = { announce: (query: string) => (query === 'q' ? request : undefined) };
  const search = builtInTools(config, { searches }).find(({ definition }) => definition.name === 'web_search');
  expect(announcementsOf(search?.definition, '{"queries":["q","other"]}')).toEqual([
    { type: 'web/deepseek-search-llm-request', data: request },
  ]);
});

test('commands and terminals ask for no background where a deployment has none', () => {
  const call = JSON.stringify({
    command: 'true',
    description: 'x',
    sessionId: 'pty-1',
    text: 'x',
    run_in_background: true,
  });
  const askers = offered({}).filter((tool) => asksForBackground(tool, call));
  expect(askers.map(toolKey)).toEqual(['bash', 'pwsh:pwsh', 'terminal_send']);
  const without = new Map(offered({ EVERTURN_RUN_IN_BACKGROUND: 'off' }).map((tool) => [toolKey(tool), tool]));
  for (const { parameters, ...asker } of askers) {
    const { run_in_background: _hidden, ...properties } = parameters.properties ?? {};
    const quiet = without.get(toolKey(asker));
    expect(quiet?.parameters).toEqual({ ...parameters, properties });
    expect(quiet?.description).toBe(`${asker.description} No call can run in the background here.`);
    expect(asksForBackground(quiet, call)).toBe(false); // so its body is called, which refuses
  }
});
