import { NativeConnection } from '@temporalio/worker';
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { quickReconnect, temporalTls, type WorkerConfig } from '@everturn/core/config';
import type { Logger } from 'pino';
import { patiently } from './patiently.ts';

export interface TemporalConnections {
  /** What workers poll with. */
  native: NativeConnection;
  /** What upkeep reads histories and starts sessions with; dials when it is first used. */
  client: Client;
  close(): Promise<void>;
}

/** Connects to Temporal, waiting for it as long as it takes. */
export async function connectTemporal(
  { temporal }: WorkerConfig,
  { log, signal, dataConverter }: { log: Logger; signal: AbortSignal; dataConverter: DataConverter },
): Promise<TemporalConnections> {
  const options = {
    address: temporal.address,
    tls: temporalTls(temporal),
    ...(temporal.apiKey && { apiKey: temporal.apiKey.reveal() }),
  };
  const native = await patiently({
    what: `Temporal at ${temporal.address}`,
    attempt: () => NativeConnection.connect(options),
    log,
    signal,
  });
  const connection = Connection.lazy({ ...options, channelArgs: quickReconnect });
  return {
    native,
    client: new Client({ connection, namespace: temporal.namespace, dataConverter }),
    close: async () => {
      await connection.close();
      await native.close();
    },
  };
}
