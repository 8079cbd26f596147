import { expect, test } from 'vitest';
import { ToolSettings } from './tool-settings.ts';

const LONGEST_TIMER = 2_147_483_647;

test.each<[string, object]>([
  ['shell.timeoutMs', { shell: { timeoutMs: 0 } }],
  ['shell.timeoutMs', { shell: { timeoutMs: -1 } }],
  ['shell.timeoutMs', { shell: { timeoutMs: Infinity } }],
  ['shell.maxTimeoutMs', { shell: { maxTimeoutMs: NaN } }],
  ['shell.graceMs', { shell: { graceMs: 0 } }],
  ['shell.graceMs', { shell: { graceMs: LONGEST_TIMER + 1 } }],
  ['jobs', { jobs: { waitMs: 2, maxWaitMs: 1 } }],
  ['jobs.maxActive', { jobs: { maxActive: 0 } }],
  ['jobs.outputLimitBytes', { jobs: { outputLimitBytes: 63 } }],
  ['web.searchMaxQueries', { web: { searchMaxQueries: 0 } }],
  ['web.searchMaxQueries', { web: { searchMaxQueries: -1 } }],
  ['web.searchMaxQueries', { web: { searchMaxQueries: 1.5 } }],
  ['terminal', { terminal: { maxReadBytes: 2, scrollbackBytes: 1 } }],
  ['terminal', { terminal: { handoffMs: 1, pollMs: 2 } }],
  ['terminal.maxResultBytes', { terminal: { maxResultBytes: 63 } }],
  ['program.maxParallelSubCalls', { program: { maxParallelSubCalls: 0 } }],
  ['repeatReminder.thresholds', { repeatReminder: { thresholds: [3, 3] } }],
  ['repeatReminder.thresholds.0', { repeatReminder: { thresholds: [1] } }],
  ['team.maxMembers', { team: { maxMembers: 0 } }],
  ['team.maxMessageBytes', { team: { maxMessageBytes: 131_073 } }],
  ['team.freshProvider', { team: { freshProvider: '' } }],
  ['maxInlineBytes', { maxInlineBytes: 1.5 }],
])('%s cannot be set by %j', (path, settings) => {
  const issues = ToolSettings.safeParse(settings).error?.issues;
  expect(issues?.map((issue) => issue.path.join('.'))).toEqual([path]);
});

test('the longest timer is one', () => {
  expect(ToolSettings.parse({ shell: { graceMs: LONGEST_TIMER } }).shell.graceMs).toBe(LONGEST_TIMER);
});
