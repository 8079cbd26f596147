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

test('a client certificate turns TLS on, and half of one is told', () => {
  const files = {
    TEMPORAL_TLS_CLIENT_CERT_PATH: import.meta.filename,
    TEMPORAL_TLS_CLIENT_KEY_PATH: import.meta.filename,
  };
  expect(clusterFromEnvironment(files).connection.tls).toMatchObject({ clientCertPair: { crt: expect.any(Buffer) } });
  expect(clusterFromEnvironment({ ...files, TEMPORAL_TLS: 'off' }).connection.tls).toBeUndefined();
  expect(() => clusterFromEnvironment({ ...files, TEMPORAL_TLS_CLIENT_KEY_PATH: '' })).toThrow('_KEY_PATH is not set');
});

test('TLS can be asked for, and refused', () => {
  expect(clusterFromEnvironment({ TEMPORAL_TLS: 'on' }).connection.tls).toBe(true);
  expect(clusterFromEnvironment({ TEMPORAL_TLS: 'off', TEMPORAL_API_KEY: 'k' }).connection.tls).toBeUndefined();
});
