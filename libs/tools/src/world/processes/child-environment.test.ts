import { expect, test } from 'vitest';
import { inheritedEnvironment } from './child-environment.ts';

test('commands get what is known to be harmless, and nothing else', () => {
  const host = {
    PATH: '/bin',
    HOME: '/root',
    LC_ALL: 'C',
    XDG_CACHE_HOME: '/c',
    NO_PROXY: 'localhost',
    https_proxy: 'http://proxy:3128',
    HTTP_PROXY: 'http://user:pw@proxy:3128',
    PIP_INDEX_URL: 'https://token@index/simple',
    OPENAI_API_KEY: 'sk-1',
    DATABASE_URL: 'postgres://u:p@h/d',
    X_NEW_SECRET: 'x',
    SOMETHING: 'plain',
    EVERTURN_HOME: '/h',
    everturn_x: '1',
    XDG_TOKEN: 't',
    LANG: 'en-supersecret-US',
    MY_TOOL: 'named',
    MY_TOKEN: 'named',
    NODE_OPTIONS: '--import x',
    UNSET: undefined,
  };
  expect(inheritedEnvironment({ host, allow: ['MY_TOOL', 'MY_TOKEN'], secretValues: ['supersecret', 'C'] })).toEqual({
    PATH: '/bin',
    HOME: '/root',
    LC_ALL: 'C',
    XDG_CACHE_HOME: '/c',
    NO_PROXY: 'localhost',
    https_proxy: 'http://proxy:3128',
    MY_TOOL: 'named',
  });
});
