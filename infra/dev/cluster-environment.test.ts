import { expect, test } from 'vitest';
import { clusterFromEnvironment } from './cluster-environment.ts';

test('a local server needs nothing', () => {
  expect(clusterFromEnvironment({})).toEqual({ connection: { address: '127.0.0.1:7233' }, namespace: 'everturn' });
});

test('an API key turns TLS on and names the namespace', () => {
  const env = { TEMPORAL_ADDRESS: 'cloud.example:7233', TEMPORAL_NAMESPACE: 'prod.acme', TEMPORAL_API_KEY: 'k' };
  expect(clusterFromEnvironment(env)).toEqual({
    connection: {
      address: 'cloud.example:7233',
      tls: true,
      apiKey: 'k',
      metadata: { 'temporal-namespace': 'prod.acme' },
    },
    namespace: 'prod.acme',
  });
});

test('TLS can be asked for, and refused', () => {
  expect(clusterFromEnvironment({ TEMPORAL_TLS: 'on' }).connection.tls).toBe(true);
  expect(clusterFromEnvironment({ TEMPORAL_TLS: 'off', TEMPORAL_API_KEY: 'k' }).connection.tls).toBeUndefined();
});
