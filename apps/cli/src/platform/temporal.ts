import type { Connection, ConnectionOptions } from '@temporalio/client';
import { temporalTls, type TemporalConfig } from '@everturn/core/config';
import { CliError } from './cli-error.ts';
import type { Settings } from './settings.ts';

export interface TemporalAccess {
  connection: Connection;
  config: TemporalConfig;
}

/** Runs work on Temporal directly and closes the connection again; throws `CLI_NOT_CONFIGURED` or `CLI_UNREACHABLE`. */
export async function withTemporal<T>(settings: Settings, work: (temporal: TemporalAccess) => Promise<T>): Promise<T> {
  const config = temporalConfig(settings);
  const connection = await connect(config);
  try {
    return await work({ connection, config });
  } finally {
    await connection.close();
  }
}

function temporalConfig({ temporal }: Settings): TemporalConfig {
  if (temporal) return temporal;
  throw new CliError({
    code: 'CLI_NOT_CONFIGURED',
    what: 'this command speaks to Temporal itself, and TEMPORAL_ADDRESS is not set',
    remedy: 'set it, or start everything with `npm run up`',
  });
}

async function connect(config: TemporalConfig): Promise<Connection> {
  const { Connection: Dialled } = await import('@temporalio/client');
  try {
    return await Dialled.connect({ connectTimeout: '5s', ...connectionOptions(config) });
  } catch (cause) {
    throw new CliError({
      code: 'CLI_UNREACHABLE',
      what: `no Temporal answers at ${config.address}`,
      remedy: 'start it with `npm run up`, or correct TEMPORAL_ADDRESS, TEMPORAL_TLS and TEMPORAL_API_KEY',
      cause,
    });
  }
}

function connectionOptions({ address, tls, tlsFiles, apiKey, namespace }: TemporalConfig): ConnectionOptions {
  return {
    address,
    tls: temporalTls({ tls, ...(tlsFiles && { tlsFiles }) }),
    ...(apiKey && { apiKey: apiKey.reveal(), metadata: { 'temporal-namespace': namespace } }),
  };
}
