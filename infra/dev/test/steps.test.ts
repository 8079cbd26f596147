import { expect, test } from 'vitest';
import { testEnvironment } from './steps.ts';

test("tests see nobody's model, cluster or database", () => {
  const env = {
    PATH: '/bin',
    OPENAI_API_KEY: 'k',
    DEEPSEEK_API_KEY: 'k',
    DATABASE_URL: 'postgres://x',
    DATABASE_DIRECT_URL: 'postgres://x',
    PGPASSWORD: 'p',
    TEMPORAL_ADDRESS: 'a',
    TEMPORAL_CLI_PATH: '/usr/bin/temporal',
    EVERTURN_DATA_DIR: '/d',
    EVERTURN_TEST_DATABASE_URL: 'postgres://t',
  };
  expect(testEnvironment(env)).toEqual({
    PATH: '/bin',
    TEMPORAL_CLI_PATH: '/usr/bin/temporal',
    EVERTURN_TEST_DATABASE_URL: 'postgres://t',
  });
});
