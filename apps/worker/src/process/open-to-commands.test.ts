import { expect, test } from 'vitest';
import { workerConfig } from '@everturn/core/config';
import { openToCommands } from './open-to-commands.ts';

const env = { DATABASE_URL: 'postgres://u@h/d', TEMPORAL_ADDRESS: '127.0.0.1:7233' };

test.each<[Record<string, string>, 'told' | 'silent']>([
  [{}, 'told'],
  [{ TEMPORAL_TLS: 'on' }, 'told'],
  [{ TEMPORAL_API_KEY: 'key-of-temporal' }, 'silent'],
  [{ EVERTURN_SANDBOX_NETWORK: 'none' }, 'silent'],
  [{ EVERTURN_PERMISSION_MODE: 'danger-full-access' }, 'silent'],
  [{ EVERTURN_PERMISSION_MODE: 'read-only' }, 'told'],
])('with %o an operator is %s', (more, expected) => {
  const said = openToCommands(workerConfig({ ...env, ...more }));
  expect(said === undefined ? 'silent' : 'told').toBe(expected);
});
