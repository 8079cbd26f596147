import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporalTls, temporalTlsFiles } from './temporal-tls.ts';

const folder = mkdtempSync(join(tmpdir(), 'everturn-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => {
  writeFileSync(join(folder, name), `PEM of ${name}`);
  return join(folder, name);
};

test('certificates are read from the files that the environment names', () => {
  const tlsFiles = temporalTlsFiles({
    TEMPORAL_TLS_CLIENT_CERT_PATH: file('cert'),
    TEMPORAL_TLS_CLIENT_KEY_PATH: file('key'),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca'),
    TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
  });
  if (!tlsFiles) throw new Error('nothing was named');
  expect(temporalTls({ tls: 'on', tlsFiles })).toEqual({
    clientCertPair: { crt: Buffer.from('PEM of cert'), key: Buffer.from('PEM of key') },
    serverRootCACertificate: Buffer.from('PEM of ca'),
    serverNameOverride: 'temporal.internal',
  });
  expect(temporalTls({ tls: 'off', tlsFiles })).toBe(false);
  writeFileSync(join(folder, 'ca'), 'another');
  expect(temporalTls({ tls: 'on', tlsFiles })).toMatchObject({ serverRootCACertificate: Buffer.from('another') });
});

test('without any it is plain TLS or none', () => {
  expect(temporalTlsFiles({})).toBeUndefined();
  expect([temporalTls({ tls: 'on' }), temporalTls({ tls: 'off' })]).toEqual([true, false]);
});

test('half a pair and a file that cannot be read are told by their variable', () => {
  expect(() => temporalTlsFiles({ TEMPORAL_TLS_CLIENT_CERT_PATH: '/c' })).toThrow(
    'TEMPORAL_TLS_CLIENT_KEY_PATH is not set: a client certificate and its key go together',
  );
  expect(() => temporalTlsFiles({ TEMPORAL_TLS_CLIENT_KEY_PATH: '/k' })).toThrow(/^TEMPORAL_TLS_CLIENT_CERT_PATH /);
  expect(() => temporalTls({ tls: 'on', tlsFiles: { serverCa: join(folder, 'gone') } })).toThrow(
    /^TEMPORAL_TLS_SERVER_CA_CERT_PATH: .*gone cannot be read \(ENOENT\)/,
  );
});
