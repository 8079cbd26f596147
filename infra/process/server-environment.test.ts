import { expect, test } from 'vitest';
import { serverEnvironment } from './server-environment.ts';

test('servers get what they need to run, and no key', () => {
  const given = {
    PATH: '/bin',
    HOME: '/home/a',
    LC_ALL: 'C',
    XDG_CACHE_HOME: '/c',
    OPENAI_API_KEY: 'secret',
    TEMPORAL_API_KEY: 'secret',
    KEY_OF_THIS_TEAM: 'secret',
    NODE_OPTIONS: '--inspect',
  };
  expect(serverEnvironment(given)).toEqual({ PATH: '/bin', HOME: '/home/a', LC_ALL: 'C', XDG_CACHE_HOME: '/c' });
});
