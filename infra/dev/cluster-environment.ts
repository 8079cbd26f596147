import { temporalTls, temporalTlsFiles } from '@everturn/core/config';
import type { ConnectionOptions } from '@temporalio/client';

/** The default namespace of Everturn's workflows. */
export const defaultNamespace = 'everturn';

/** How a cluster is reached, from the same variables the Temporal CLI and our own processes read. */
export function clusterFromEnvironment(env: Readonly<Record<string, string | undefined>>): {
  connection: ConnectionOptions;
  namespace: string;
} {
  const apiKey = env['TEMPORAL_API_KEY'];
  const tlsFiles = temporalTlsFiles(named(env));
  // Temporal Cloud takes API keys over TLS only.
  const tls = env['TEMPORAL_TLS'] ?? (apiKey || tlsFiles ? 'on' : 'off');
  const namespace = env['TEMPORAL_NAMESPACE'] ?? defaultNamespace;
  const connection: ConnectionOptions = { address: env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233' };
  if (tls === 'on') connection.tls = temporalTls({ tls, ...(tlsFiles && { tlsFiles }) });
  if (apiKey) {
    connection.apiKey = apiKey;
    connection.metadata = { 'temporal-namespace': namespace };
  }
  return { connection, namespace };
}

/** Without what is set to nothing, which counts as not set. */
const named = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim())));
