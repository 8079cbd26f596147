import { expect, test } from 'vitest';
import { isRecentCli } from './cli-release.ts';
import { dynamicConfigFlags } from './dynamic-config.ts';

test('a CLI is recent enough from 1.9 on', () => {
  const versions = ['1.8.9', '1.9.0', '1.10.0', '2.0.0', '0.13.2'];
  const recent = versions.filter((version) => isRecentCli(`temporal version ${version} (Server 1.32.0, UI 2.54.1)`));
  expect(recent).toEqual(['1.9.0', '1.10.0', '2.0.0']);
  expect(isRecentCli('')).toBe(false);
});

test('the dev server gets the poll rates of dynamicconfig.yaml', () => {
  const flags = dynamicConfigFlags();
  expect(flags).toContain('history.transferProcessorMaxPollRPS=2000');
  expect(flags).toContain('history.timerProcessorMaxPollRPS=2000');
  expect(flags.filter((flag) => flag === '--dynamic-config-value')).toHaveLength(flags.length / 2);
});
