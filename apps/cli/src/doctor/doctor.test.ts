import { expect, test } from 'vitest';
import { webSettings } from '@everturn/core/config';
import { checkNode } from './check-node.ts';
import { retentionFinding } from './check-temporal.ts';
import { webSearchOf } from './check-web.ts';

test.each([
  [30, false, 'ok'],
  [7, false, 'ok'],
  [3, false, 'fail'],
  [3, true, 'warn'],
  [1, true, 'warn'],
  [0.5, true, 'fail'],
])('%d days of retention, local %j: %s', (days, local, state) => {
  const finding = retentionFinding(days, local);
  expect([finding.state, finding.remedy === undefined]).toEqual([state, state === 'ok']);
});

test.each([
  ['24.22.1', 'ok'],
  ['22.22.2', 'ok'],
  ['22.22.1', 'fail'],
  ['22.21.9', 'fail'],
  ['20.99.99', 'fail'],
  ['23.0.0', 'ok'],
])('Node %s: %s', (version, state) => {
  expect(checkNode(version).map((finding) => finding.state)).toEqual([state]);
});

test.each([
  [{}, 'info'],
  [{ EVERTURN_WEB_SEARCH: 'off' }, 'info'],
  [{ SEARXNG_URL: 'http://127.0.0.1:8888' }, 'ok'],
  [{ SEARXNG_URL: 'http://127.0.0.1:8888', EXA_API_KEY: 'k' }, 'warn'],
  [{ SEARXNG_URL: 'http://127.0.0.1:8888', EXA_API_KEY: 'k', EVERTURN_WEB_SEARCH_PROVIDER: 'exa' }, 'ok'],
  [{ SEARXNG_URL: 'http://127.0.0.1:8888', EVERTURN_WEB_SEARCH_PROVIDER: 'exa' }, 'warn'],
])('web search with %j: %s', (environment, state) => {
  expect(webSearchOf(webSettings(environment)).state).toBe(state);
});
