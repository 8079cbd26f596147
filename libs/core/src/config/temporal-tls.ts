import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { ConfigError } from './config-error.ts';
import type { temporalTlsFields } from './schema.ts';

/** What proves to a cluster who we are, and to us that it is the one; files, so that they can be rotated. */
export interface TemporalTlsFiles {
  clientCert?: string;
  clientKey?: string;
  serverCa?: string;
  /** The name in the cluster's certificate, where it is not the address. */
  serverName?: string;
}

/** As Temporal's clients take it. */
export interface TemporalTlsOptions {
  clientCertPair?: { crt: Buffer; key: Buffer };
  serverRootCACertificate?: Buffer;
  serverNameOverride?: string;
}

/** The files named by the environment, if any are; throws `CONFIG_INVALID` for half a pair. */
export function temporalTlsFiles(
  env: Partial<z.output<z.ZodObject<typeof temporalTlsFields>>>,
): TemporalTlsFiles | undefined {
  const clientCert = env.TEMPORAL_TLS_CLIENT_CERT_PATH;
  const clientKey = env.TEMPORAL_TLS_CLIENT_KEY_PATH;
  if ((clientCert === undefined) !== (clientKey === undefined)) {
    const missing = clientCert === undefined ? CERT : KEY;
    throw new ConfigError('CONFIG_INVALID', `${missing} is not set: a client certificate and its key go together`);
  }
  const serverCa = env.TEMPORAL_TLS_SERVER_CA_CERT_PATH;
  const serverName = env.TEMPORAL_TLS_SERVER_NAME;
  if (clientCert === undefined && serverCa === undefined && serverName === undefined) return undefined;
  return {
    ...(clientCert !== undefined && { clientCert }),
    ...(clientKey !== undefined && { clientKey }),
    ...(serverCa !== undefined && { serverCa }),
    ...(serverName !== undefined && { serverName }),
  };
}

/** How clients are to encrypt, with the files' contents as of now; throws `CONFIG_FILE` for one that cannot be read. */
export function temporalTls(input: { tls: 'on' | 'off'; tlsFiles?: TemporalTlsFiles }): TemporalTlsOptions | boolean {
  if (input.tls === 'off') return false;
  if (!input.tlsFiles) return true;
  const { clientCert, clientKey, serverCa, serverName } = input.tlsFiles;
  return {
    ...(clientCert !== undefined &&
      clientKey !== undefined && { clientCertPair: { crt: read(CERT, clientCert), key: read(KEY, clientKey) } }),
    ...(serverCa !== undefined && { serverRootCACertificate: read(CA, serverCa) }),
    ...(serverName !== undefined && { serverNameOverride: serverName }),
  };
}

const CERT = 'TEMPORAL_TLS_CLIENT_CERT_PATH';
const KEY = 'TEMPORAL_TLS_CLIENT_KEY_PATH';
const CA = 'TEMPORAL_TLS_SERVER_CA_CERT_PATH';

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError('CONFIG_FILE', `${name}: ${file} cannot be read (${code}); name a PEM file`, { cause });
  }
}
