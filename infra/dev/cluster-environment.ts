import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from '@temporalio/client';

/** The default namespace of Everturn's workflows. */
export const defaultNamespace = 'everturn';

/** How a cluster is reached, from the same variables the Temporal CLI and our own processes read. */
export function clusterFromEnvironment(env: NodeJS.ProcessEnv): { connection: ConnectionOptions; namespace: string } {
  const apiKey = env['TEMPORAL_API_KEY'];
  const tls = tlsFromEnvironment(env, apiKey !== undefined);
  const namespace = env['TEMPORAL_NAMESPACE'] ?? defaultNamespace;
  const connection: ConnectionOptions = { address: env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233' };
  if (tls !== undefined) connection.tls = tls;
  if (apiKey !== undefined) {
    connection.apiKey = apiKey;
    connection.metadata = { 'temporal-namespace': namespace };
  }
  return { connection, namespace };
}

function tlsFromEnvironment(
  env: NodeJS.ProcessEnv,
  hasApiKey: boolean,
): NonNullable<ConnectionOptions['tls']> | undefined {
  const certificate = env['TEMPORAL_TLS_CLIENT_CERT_PATH'];
  const key = env['TEMPORAL_TLS_CLIENT_KEY_PATH'];
  const authority = env['TEMPORAL_TLS_SERVER_CA_CERT_PATH'];
  const serverName = env['TEMPORAL_TLS_SERVER_NAME'];
  const options = {
    ...(certificate && key ? { clientCertPair: { crt: readFileSync(certificate), key: readFileSync(key) } } : {}),
    ...(authority ? { serverRootCACertificate: readFileSync(authority) } : {}),
    ...(serverName ? { serverNameOverride: serverName } : {}),
  };
  if (Object.keys(options).length > 0) return options;
  // Temporal Cloud takes API keys over TLS only.
  return env['TEMPORAL_TLS'] === 'true' || env['TEMPORAL_TLS'] === '1' || hasApiKey ? true : undefined;
}
